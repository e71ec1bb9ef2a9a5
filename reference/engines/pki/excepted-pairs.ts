/** Pairs of a place and an operator that make no fault in the certificate authority, by the reason. */
export const except: Record<string, string> = {
  'no check finds it: whether it is promised is not judged yet': `
    role/organization/trimmed role/organization/cut role/organization/decoded role/organization/composed role/organization/line-ends
    role/organization/first-line role/organization/unquoted role/locality/trimmed role/locality/cut role/locality/escaped
    role/locality/decoded role/locality/composed role/locality/line-ends role/locality/first-line role/locality/plain-ascii
    role/locality/unquoted certificates/list/twice certificates/list/alone-only certificates/list/stale roles/list/twice
    roles/list/alone-only role/key_bits/carried-over role/ext_key_usage/first-kept issue/common_name/carried-over
    issue/alt_names/first-kept issue/ip_sans/first-kept issue/uri_sans/first-kept issue/other_sans/first-kept issue/format/first-kept
    issue/exclude_cn_from_sans/first-kept sign/common_name/first-kept sign/common_name/carried-over sign/alt_names/first-kept
    sign/ip_sans/first-kept sign/uri_sans/first-kept sign/other_sans/first-kept sign/format/first-kept
    sign/exclude_cn_from_sans/first-kept root/ou/first-kept root/organization/first-kept root/country/first-kept
    root/locality/first-kept root/province/first-kept root/street_address/first-kept root/street_address/carried-over
    root/postal_code/first-kept root/postal_code/carried-over root/serial_number/first-kept root/permitted_dns_domains/first-kept
    root/ttl/carried-over root/alt_names/first-kept root/ip_sans/first-kept root/uri_sans/first-kept root/other_sans/first-kept
    root/format/first-kept root/private_key_format/first-kept root/private_key_format/carried-over
    root/exclude_cn_from_sans/first-kept root/key_type/first-kept root/key_type/carried-over root/key_bits/first-kept
    root/key_bits/carried-over root/max_path_length/first-kept intermediate/common_name/first-kept
    intermediate/common_name/carried-over intermediate/ou/first-kept intermediate/organization/first-kept
    intermediate/country/first-kept intermediate/locality/first-kept intermediate/province/first-kept
    intermediate/street_address/first-kept intermediate/postal_code/first-kept intermediate/permitted_dns_domains/first-kept
    intermediate/ttl/carried-over intermediate/alt_names/first-kept intermediate/ip_sans/first-kept intermediate/uri_sans/first-kept
    intermediate/other_sans/first-kept intermediate/format/first-kept intermediate/use_csr_values/first-kept
    root/common_name/made-up-for-empty intermediate/common_name/made-up-for-empty issue/common_name/made-up-for-empty
    issue/uri_sans/object-as-text role/allow_localhost/inverted role/enforce_hostnames/inverted role/allow_ip_sans/inverted
    role/use_csr_common_name/inverted role/use_csr_sans/inverted role/require_cn/inverted role-read/allowed_domains/other
    role-read/ext_key_usage/other role-read/policy_identifiers/other issue/certificate/stale issue/certificate/neighbours
    issue/private_key/other issue/private_key_type/stale issue/serial_number/stale issue/serial_number/neighbours
    sign/certificate/other sign/certificate/stale sign/certificate/neighbours sign/serial_number/stale sign/serial_number/neighbours
    root/certificate/stale root/certificate/neighbours root/issuing_ca/stale root/issuing_ca/neighbours root/serial_number/stale
    root/serial_number/neighbours root/private_key/other self-issued/certificate/stale self-issued/certificate/neighbours
    self-issued/issuing_ca/stale self-issued/issuing_ca/neighbours certificate/certificate/stale revoke/revocation_time/stale
    revoke/revocation_time/neighbours issue/with-prefix
  `,
}
