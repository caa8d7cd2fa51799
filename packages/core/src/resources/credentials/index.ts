export { ApiKeys, apiKeyLength, hashApiKey, type StoredApiKey } from './api-keys.js'
export { PasswordHasher } from './passwords.js'
export { ServerSecret, ServerSecretToken } from './server-secret.js'
export { ServerSecretRepository } from './server-secret-repository.js'
