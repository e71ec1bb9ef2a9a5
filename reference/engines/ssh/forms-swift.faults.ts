/** Faults of form: the same thing shown otherwise by another route, in another type, in part, or in other letters. */
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'

const { rule, route } = faultsOf(sshEngine)

rule(
  'swift-public-key-without-kind',
  ['SSH-CA-06', 'SSH-CA-15'],
  'public_key shows the base64 part only, config/ca the whole line (000 4.4, GET public_key: public key)',
  {
    publicKeyShown: (original) => (state) => original(state)?.split(' ')[1],
  },
)

route(
  'swift-zero-list-as-text',
  ['SSH-ZERO-02'],
  'the zero-address list is read as the text that it was written as (000 4.4, GET config/zeroaddress: data.roles (array))',
  'ssh.readZeroAddress',
  replyData((data) => ({ ...data, roles: Array.isArray(data.roles) ? data.roles.join(',') : '' })),
)

rule(
  'swift-otp-default-port',
  ['SSH-PORT-04'],
  'a one-time password comes with port 22 whatever the role’s port (000 4.4, port: returned with the OTP)',
  {
    otpCredential: (original) => (role, otp, password) => ({ ...original(role, otp, password), port: 22 }),
  },
)

rule(
  'swift-otp-shows-default-user',
  ['SSH-CREDS-07'],
  'the credential shows the role’s default user where verify shows the one asked for (000 4.4, username)',
  {
    otpCredential: (original) => (role, otp, password) => ({ ...original(role, otp, password), username: role.default_user }),
  },
)

route(
  'swift-verify-shows-default-user',
  ['SSH-VERIFY-02'],
  'verify shows the role’s default user instead of the one that the password is for (000 4.4, POST verify: data.username)',
  'ssh.verifyOtp',
  (original) => (call) => {
    const otp = call.state.otps.get(String(call.body.otp))
    const role = call.state.roles.get(otp?.role ?? '')
    return replyData<typeof call>((data) => ({ ...data, username: role?.default_user ?? data.username ?? '' }))(original)(call)
  },
)

rule('swift-user-in-lower-case', ['SSH-VERIFY-02'], 'a requested user name is put into lower case (000 4.4, POST creds: username)', {
  credentialUser: (original) => (role, requested) => original(role, requested.toLowerCase()),
})

rule(
  'swift-ttl-in-whole-minutes',
  ['SSH-MAXTTL-03'],
  'ttl and max_ttl are read in whole minutes, 90s as 1m (000 4.4, GET roles: max_ttl, ttl)',
  {
    readRole: (original) => (role) => original({ ...role, ttl: role.ttl - (role.ttl % 60), max_ttl: role.max_ttl - (role.max_ttl % 60) }),
  },
)

const withoutDays = (seconds: number): number => (seconds > 86_400 ? seconds % 86_400 : seconds)
rule(
  'swift-ttl-hours-of-a-day',
  ['SSH-TTL-04', 'SSH-MAXTTL-03'],
  'a ttl of more than a day is read without its days (000 4.4, duration with suffix, hour is largest)',
  {
    readRole: (original) => (role) => original({ ...role, ttl: withoutDays(role.ttl), max_ttl: withoutDays(role.max_ttl) }),
  },
)

rule(
  'swift-option-value-to-comma',
  ['SSH-CRITOPT-01'],
  'the value of a critical option ends at its first comma (000 4.4, critical_options: map string to string)',
  {
    criticalOptions: (original) => (role, requested) =>
      Object.fromEntries(Object.entries(original(role, requested)).map(([name, value]) => [name, value.split(',')[0] ?? ''])),
  },
)

route(
  'swift-serial-as-number',
  ['SSH-SIGN-01'],
  'serial_number is a number (000 2.7, serial_number (string))',
  'ssh.signKey',
  replyData((data) => ({ ...data, serial_number: Number.parseInt(String(data.serial_number), 16) })),
)

rule(
  'swift-format-once-each',
  ['SSH-KEYFMT-04'],
  'of a variable that key_id_format holds twice the second stays as it is (000 4.4, key_id_format: variables)',
  {
    defaultKeyId: (original) => (role, facts) => {
      if (role.key_id_format === '') return original(role, facts)
      return role.key_id_format
        .replace('{{token_display_name}}', facts.displayName)
        .replace('{{role_name}}', facts.roleName)
        .replace('{{public_key_hash}}', facts.publicKeyHash)
    },
  },
)
