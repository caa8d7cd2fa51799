import { ChatError } from '../../../errors/index.js'
import { hashApiKey } from '../../people/credentials/index.js'

const apiKeyPattern = /^[A-Za-z0-9]{32}$/

/**
 * Returns the hash of the API key in an `Authorization` header.
 *
 * @throws {ChatError} `UNAUTHORIZED`, `INVALID_API_KEY` or `BAD_REQUEST` if the header contains no
 *   valid one.
 */
export function apiKeyHashOf(authorization: string): string {
  return hashApiKey(parseBasic(authorization).apiKey)
}

/**
 * Parses the address and the API key of HTTP Basic authentication (RFC 7617).
 *
 * @throws {ChatError} `UNAUTHORIZED`, `INVALID_API_KEY` or `BAD_REQUEST` if the header is
 *   malformed.
 */
export function parseBasic(authorization: string): { email: string; apiKey: string } {
  const [scheme, encoded, ...rest] = authorization.trim().split(/\s+/)
  if (encoded === undefined || rest.length > 0) throw invalidHeader()
  if (scheme?.toLowerCase() !== 'basic') {
    throw new ChatError('BAD_REQUEST', {
      message: 'This endpoint requires HTTP basic authentication.',
    })
  }
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const [email, apiKey, ...more] = decoded.split(':')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded) || decoded.includes('\uFFFD')) throw invalidHeader()
  if (email === undefined || apiKey === undefined || more.length > 0) throw invalidHeader()
  if (!apiKeyPattern.test(apiKey.trim())) {
    throw new ChatError('INVALID_API_KEY', { message: 'Malformed API key' })
  }
  return { email: email.trim(), apiKey: apiKey.trim() }
}

function invalidHeader(): ChatError {
  return new ChatError('UNAUTHORIZED', { message: 'Invalid authorization header for basic auth' })
}
