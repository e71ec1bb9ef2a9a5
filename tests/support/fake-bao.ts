/** A program that takes the flags of OpenBao's development server and prints what it prints, with the reference server behind them. */
import { createReference } from '../../reference/index.ts'

const flag = (name: string): string => process.argv.find((word) => word.startsWith(`-${name}=`))?.slice(name.length + 2) ?? ''
const [host, port] = flag('dev-listen-address').split(':')
const reference = createReference({ tls: false, dialect: 'vault', rootToken: flag('dev-root-token-id') })
await reference.listen(host, Number(port))
process.stdout.write(`pid ${process.pid}\nUnseal Key: ${reference.unsealKey}\n`)
process.once('SIGTERM', () => void reference.close().then(() => process.exit(0)))
