/** Backends that go away and come back. */
import type { BackendHandle } from '../base/backend-handle.ts'
import { type Gate, tcpGate } from '../oracles/tcp-gate.ts'
import type { Bench } from './vocabulary.ts'

/**
 * A gate in front of a backend, open at first; it goes with the check. The target has to be given the gate's port in place of the backend's.
 *
 * @param port the port behind the gate, where it is not the first of the backend
 */
export const gateTo = async (bench: Pick<Bench, 'defer'>, handle: BackendHandle, port = handle.port): Promise<Gate> => {
  const gate = await tcpGate(handle.host, port, handle.targetHost)
  bench.defer(() => gate.close())
  return gate
}
