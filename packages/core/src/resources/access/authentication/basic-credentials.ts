import { ChatError, namedText } from '../../../errors/index.js'
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
      text: namedText('BASIC_AUTHENTICATION_REQUIRED'),
    })
  }
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const [email, apiKey, ...more] = decoded.split(':')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded) || decoded.includes('\uFFFD')) throw invalidHeader()
  if (email === undefined || apiKey === undefined || more.length > 0) throw invalidHeader()
  if (!apiKeyPattern.test(apiKey.trim())) {
    throw new ChatError('INVALID_API_KEY', { text: namedText('API_KEY_MALFORMED') })
  }
  return { email: email.trim(), apiKey: apiKey.trim() }
}

/**
 * Returns the API key in the query of a request.
 *
 * @throws {ChatError} `REQUEST_VARIABLE_MISSING` or `INVALID_API_KEY` if there is no valid one.
 */
export function apiKeyInQuery(query: string): string {
  const apiKey = new URLSearchParams(query).get('api_key')
  if (apiKey === null) {
    throw new ChatError('REQUEST_VARIABLE_MISSING', { fields: { var_name: 'api_key' } })
  }
  if (!apiKeyPattern.test(apiKey)) throw new ChatError('INVALID_API_KEY')
  return apiKey
}

function invalidHeader(): ChatError {
  return new ChatError('UNAUTHORIZED', { text: namedText('AUTHORIZATION_HEADER_INVALID') })
}
