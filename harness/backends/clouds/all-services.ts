/** Every service behind the gateway. */
import type { Service } from './cloud-exchange.ts'
import { iam } from './iam.ts'
import { keyRings } from './key-rings.ts'
import { keyService } from './key-service.ts'
import { resources } from './resources.ts'
import { tokenService } from './token-service.ts'
import { vaultLogin } from './vault-login.ts'
import { vaults } from './vaults.ts'

export const services: readonly Service[] = [tokenService, iam, resources, keyRings, keyService, vaultLogin, vaults]
