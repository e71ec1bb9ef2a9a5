/** Pairs of a place and an operator that make no fault of the transform engine, by the reason. */
export const except: Record<string, string> = {
  'no check finds it: whether it is promised is not judged yet': `
    alphabet/read-after-removal alphabet/deletion/same-length template/read-after-removal template/deletion/same-length transformation/cut
    transformation/hyphens transformation/dots transformation/list/alone-only role/read-after-removal role/deletion/same-length
    store/hyphens store/dots store/read-after-removal store/deletion/same-length fpe/read-after-removal masking/read-after-removal
    tokenization/removal-ignored tokenization/read-after-removal alphabet/alphabet/decoded alphabet/alphabet/composed
    alphabet/alphabet/line-ends alphabet/alphabet/first-line alphabet/alphabet/carried-over alphabet/alphabet/made-up-for-empty
    alphabet/alphabet/object-left-out alphabet/alphabet/object-as-before template/type/carried-over template/type/made-up-for-empty
    template/type/object-left-out template/type/object-as-text template/pattern/composed template/pattern/line-ends
    template/pattern/first-line template/pattern/made-up-for-empty template/pattern/object-left-out fpe/template/made-up-for-empty
    fpe/template/object-left-out fpe/tweak_source/carried-over fpe/tweak_source/made-up-for-empty fpe/tweak_source/object-as-text
    fpe/allowed_roles/carried-over masking/template/made-up-for-empty masking/template/object-left-out masking/template/object-as-before
    masking/masking_character/carried-over masking/masking_character/made-up-for-empty masking/allowed_roles/ignored
    masking/allowed_roles/carried-over older/type/made-up-for-empty older/type/object-left-out older/type/object-as-text
    older/template/made-up-for-empty older/template/object-left-out older/tweak_source/carried-over older/tweak_source/made-up-for-empty
    older/tweak_source/object-as-text older/masking_character/carried-over older/masking_character/made-up-for-empty
    tokenization/allowed_roles/carried-over tokenization/stores/carried-over tokenization/stores/made-up-for-empty
    tokenization/max_ttl/carried-over tokenization/max_ttl/made-up-for-empty tokenization/max_ttl/object-as-text
    role/transformations/object-as-before store/type/made-up-for-empty store/type/object-left-out store/type/object-taken
    store/type/object-as-text store/type/object-as-before store/connection_string/trimmed store/connection_string/cut
    store/connection_string/escaped store/connection_string/decoded store/connection_string/composed store/connection_string/line-ends
    store/connection_string/first-line store/connection_string/plain-ascii store/connection_string/unquoted
    store/connection_string/made-up-for-empty store/connection_string/object-left-out store/connection_string/object-as-text
    store/username/made-up-for-empty store/username/object-left-out store/password/trimmed store/password/cut store/password/composed
    store/password/line-ends store/password/first-line store/password/plain-ascii store/password/made-up-for-empty
    store/password/object-left-out store/schema/carried-over store/schema/object-as-before store/supported_transformations/carried-over
    store/supported_transformations/object-as-text store/supported_transformations/object-as-before store/max_open_connections/first-kept
    store/max_open_connections/carried-over store/max_open_connections/made-up store/max_open_connections/made-up-for-empty
    store/max_open_connections/object-as-text store/max_open_connections/object-as-before store/max_idle_connections/first-kept
    store/max_idle_connections/carried-over store/max_idle_connections/made-up-for-empty store/max_idle_connections/object-as-text
    store/max_idle_connections/object-as-before store/max_connection_lifetime/first-kept store/max_connection_lifetime/object-as-text
    store/max_connection_lifetime/object-as-before schema/username/made-up-for-empty schema/username/object-left-out
    schema/password/made-up-for-empty schema/password/object-left-out schema/transformation_type/first-kept
    schema/transformation_type/carried-over schema/transformation_type/made-up-for-empty schema/transformation_type/object-taken
    schema/transformation_type/object-as-text schema/transformation_type/object-as-before encode/value/made-up-for-empty
    encode/value/object-left-out encode/value/object-as-text encode/value/object-as-before encode/transformation/object-as-text
    encode/tweak/object-left-out encode/tweak/object-as-text encode/ttl/first-kept encode/ttl/object-as-text encode/metadata/trimmed
    encode/metadata/composed encode/metadata/line-ends encode/metadata/first-line decode/value/trimmed decode/value/cut decode/value/escaped
    decode/value/decoded decode/value/composed decode/value/line-ends decode/value/first-line decode/value/plain-ascii decode/value/unquoted
    decode/value/lost decode/value/carried-over decode/value/made-up-for-empty decode/value/object-left-out decode/value/object-as-text
    decode/value/object-as-before decode/transformation/object-as-text decode/tweak/carried-over decode/tweak/made-up
    decode/tweak/made-up-for-empty decode/tweak/object-left-out decode/tweak/object-as-text validate/value/trimmed validate/value/cut
    validate/value/escaped validate/value/decoded validate/value/composed validate/value/line-ends validate/value/first-line
    validate/value/plain-ascii validate/value/unquoted validate/value/lost validate/value/first-kept validate/value/made-up-for-empty
    validate/value/object-left-out tokenized/value/cut tokenized/value/escaped tokenized/value/decoded tokenized/value/line-ends
    tokenized/value/first-line tokenized/value/plain-ascii tokenized/value/unquoted tokenized/value/lost tokenized/value/object-left-out
    metadata/value/trimmed metadata/value/cut metadata/value/escaped metadata/value/decoded metadata/value/composed metadata/value/line-ends
    metadata/value/first-line metadata/value/plain-ascii metadata/value/unquoted metadata/value/lost metadata/value/object-left-out
    metadata/value/object-taken metadata/value/object-as-text validate/transformation/object-as-text tokenized/transformation/object-as-text
    metadata/transformation/object-as-text batch/value/cut batch/metadata/trimmed batch/metadata/cut batch/metadata/escaped
    batch/metadata/decoded batch/metadata/composed batch/metadata/line-ends batch/metadata/first-line batch/metadata/plain-ascii
    batch/metadata/unquoted alphabet/alphabet-shown/stale alphabet/alphabet-shown/neighbours template/pattern-shown/stale
    template/type-shown/stale template/type-shown/neighbours template/alphabet-shown/stale role/transformations-shown/stale
    transformation/type-shown/stale transformation/templates-shown/stale transformation/tweak_source-shown/stale
    store/connection_string-shown/stale store/supported_transformations-shown/stale store/supported_transformations-shown/neighbours
    encode/encoded_value-shown/stale validate/valid-shown/emptied validate/valid-shown/stale validate/valid-shown/neighbours
    tokenized/tokenized-shown/emptied tokenized/tokenized-shown/stale tokenized/tokenized-shown/neighbours batch/results/of-objects
    batch/results/alone-only batch/decoded/of-ten batch/decoded/of-objects batch/decoded/alone-only batch/decoded/stale encode/ttl/one-more
    encode/ttl/one-less encode/ttl/zero-left-out batch/ttl/one-more batch/ttl/one-less batch/ttl/doubled batch/ttl/zero-left-out tokenization/max_ttl/one-more
    tokenization/max_ttl/one-less tokenization/max_ttl/doubled tokenization/max_ttl/zero-left-out store/max_open/one-less
    store/max_open/in-minutes store/max_open/zero-left-out store/max_idle/one-less store/max_idle/zero-left-out store/max_lifetime/one-more
    store/max_lifetime/one-less store/max_lifetime/doubled store/max_lifetime/zero-left-out template/read/deny-overlooked
    alphabet/listing/deny-overlooked transformation/removal/deny-overlooked
  `,
  'gives back no generated tweak, which may be': 'encode/tweak-shown/emptied batch/tweak-shown/emptied',
  'is what it needs': `
    template/read/read-is-enough alphabet/listing/list-is-enough role/write/update-is-enough encode/use/update-is-enough
    decode/use/update-is-enough validate/use/update-is-enough tokenized/use/update-is-enough metadata/use/update-is-enough
  `,
}
