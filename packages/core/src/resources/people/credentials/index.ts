export { ApiKeys, hashApiKey } from './api-keys.js'
export { DataKey } from './data-key.js'
export { hashingClientOf, type HashingClient } from './hashing-queue.js'
export { PasswordStrength } from './password-strength.js'
export { PasswordHasher, type PasswordHashing } from './password-hasher.js'
export { SealedKeyRepository, type SealedKeyRow } from './sealed-key-repository.js'
export { ServerSecretRepository } from './server-secret-repository.js'
export {
  ServerSecret,
  ServerSecretToken,
  type GivenSecrets,
  type Secrets,
} from './server-secret.js'
