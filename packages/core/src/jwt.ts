import type { IncomingMessage } from 'node:http'

import type * as Jose from 'jose'
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose'

import { bearerOf } from './http/pipeline/bearer.js'
import type {
  HostIdentity,
  Identify,
  IdentifyInOrganization,
  OrganizationIdentity,
} from './http/pipeline/host-identity.js'

/** The claims of a verified token (RFC 7519). */
export type JwtClaims = JWTPayload

/** Tokens that the application's login signs, and their users. */
export interface JwtIdentityOptions<Identity extends HostIdentity = HostIdentity> {
  /**
   * The public keys of the login: its JWKS address, over https, from which keys are read again when a
   * token names an unknown one, at most every 30 seconds; a JSON Web Key Set; or one public key in PEM
   * (SPKI).
   */
  readonly jwks: string | URL | JSONWebKeySet
  /** The issuer of the tokens: `iss`, exactly. */
  readonly issuer: string | readonly string[]
  /** The audience of the tokens: one of these is in `aud`. */
  readonly audience: string | readonly string[]
  /** The user of a token, from its claims; null or undefined for none. */
  readonly user: (
    claims: JwtClaims,
  ) => Identity | null | undefined | Promise<Identity | null | undefined>
  /**
   * The signature algorithms that are accepted. Never one with a shared secret.
   * @default ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']
   */
  readonly algorithms?: readonly JwtAlgorithm[]
  /** How far the clocks of the login and the chat may differ. @default 5 */
  readonly clockToleranceSeconds?: number
  /**
   * The token of a request. For one that browsers do not send by themselves, unlike a cookie, let `user`
   * return `via: 'token'`.
   * @default that of `Authorization: Bearer`
   */
  readonly tokenOf?: (request: IncomingMessage) => string | undefined
}

/** Signature algorithms with a private and a public key. */
export type JwtAlgorithm =
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'EdDSA'
  | 'Ed25519'

const defaultAlgorithms: readonly JwtAlgorithm[] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']
/** A longer token is not verified; servers accept 16 KB of headers. */
const maxTokenLength = 16_000
/** JSON in Base64, as the header of each token. */
const startsAsToken = /^ey[\w-]+\./

/**
 * The option `identify` for a login that signs JSON Web Tokens, such as Auth0, Clerk, Firebase or
 * Keycloak. It needs the package `jose`.
 *
 * It returns null for a request without a token, and with one that is expired, not yet valid, for
 * somebody else, or wrongly signed. A token must expire (`exp`).
 *
 * @throws {TypeError} if an option is missing or invalid.
 * @throws {Error} when it is called, if the keys cannot be read: the request is answered 500.
 */
export function jwtIdentity(
  options: JwtIdentityOptions<OrganizationIdentity>,
): IdentifyInOrganization
export function jwtIdentity(options: JwtIdentityOptions): Identify
export function jwtIdentity(options: JwtIdentityOptions): Identify {
  requireOptions(options)
  const { tokenOf, user, clockToleranceSeconds = 5 } = options
  const { issuer, audience, algorithms = defaultAlgorithms } = options
  const rules: JWTVerifyOptions = {
    issuer: [issuer].flat(),
    audience: [audience].flat(),
    algorithms: [...algorithms],
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['exp'],
  }
  let loading: ReturnType<typeof load> | undefined
  return async (request, { refused }) => {
    const { authorization } = request.headers
    const token = tokenOf === undefined ? bearerOf(authorization) : tokenOf(request)
    if (token === undefined && tokenOf === undefined && startsAsToken.test(authorization ?? '')) {
      refused?.('Authorization has the token without "Bearer " before it')
    }
    if (token === undefined || token.length > maxTokenLength) return null
    loading ??= load(options, algorithms)
    const { jose, keyOf } = await loading
    const verified = await jose.jwtVerify(token, keyOf, rules).catch((error: unknown) => {
      if (!isAboutToken(error)) throw error
      // Expired tokens are usual. Messages about claims contain nothing of the token; others may.
      const isAboutClaim = error.code === 'ERR_JWT_CLAIM_VALIDATION_FAILED'
      if (error.code !== 'ERR_JWT_EXPIRED') refused?.(isAboutClaim ? error.message : error.code)
      return undefined
    })
    if (verified === undefined) return null
    const identity = (await user(verified.payload)) ?? null
    // Another function may have found the token in data that browsers send by themselves.
    return identity === null || tokenOf !== undefined ? identity : { via: 'token', ...identity }
  }
}

async function load({ jwks }: JwtIdentityOptions, algorithms: readonly JwtAlgorithm[]) {
  const jose = await import('jose')
  const keyOf = await keysOf(jose, jwks, algorithms)
  return { jose, keyOf }
}

async function keysOf(
  jose: typeof Jose,
  jwks: JwtIdentityOptions['jwks'],
  algorithms: readonly JwtAlgorithm[],
): Promise<JWTVerifyGetKey> {
  if (typeof jwks === 'string' && isPem(jwks)) {
    const imported = new Map<string, ReturnType<typeof jose.importSPKI>>()
    return async ({ alg }) => {
      // The algorithm of a token is checked before; a key that is not for it is refused.
      if (!algorithms.some((name) => name === alg)) throw new jose.errors.JOSEAlgNotAllowed()
      const key = imported.get(alg) ?? jose.importSPKI(jwks, alg)
      imported.set(alg, key)
      return key.catch((error: unknown) => {
        throw new jose.errors.JWKSNoMatchingKey(undefined, { cause: error })
      })
    }
  }
  if (typeof jwks === 'string' || jwks instanceof URL) {
    return jose.createRemoteJWKSet(new URL(jwks))
  }
  return jose.createLocalJWKSet(jwks)
}

function isPem(text: string): boolean {
  return text.trimStart().startsWith('-----BEGIN PUBLIC KEY-----')
}

/** Errors of `jose` that the token is the reason for, and not the keys. */
const tokenErrors: ReadonlySet<unknown> = new Set([
  'ERR_JOSE_ALG_NOT_ALLOWED',
  'ERR_JOSE_NOT_SUPPORTED',
  'ERR_JWKS_MULTIPLE_MATCHING_KEYS',
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWS_INVALID',
  'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  'ERR_JWT_CLAIM_VALIDATION_FAILED',
  'ERR_JWT_EXPIRED',
  'ERR_JWT_INVALID',
])

function isAboutToken(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && tokenErrors.has(error.code)
}

function requireOptions({ jwks, issuer, audience, user, algorithms }: JwtIdentityOptions): void {
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
  const areTexts = (value: unknown): boolean =>
    Array.isArray(value) ? value.length > 0 && value.every(isText) : isText(value)
  if (!areTexts(issuer)) throw new TypeError('jwtIdentity: issuer must be a text, or texts')
  if (!areTexts(audience)) throw new TypeError('jwtIdentity: audience must be a text, or texts')
  if (typeof user !== 'function') throw new TypeError('jwtIdentity: user must be a function')
  if (algorithms?.some((name) => /^(HS|none)/.test(name)) === true) {
    throw new TypeError('jwtIdentity: algorithms must be those of public keys')
  }
  if (typeof jwks === 'object' && !(jwks instanceof URL)) return
  if (typeof jwks === 'string' && isPem(jwks)) return
  const { protocol, hostname } = new URL(URL.canParse(String(jwks)) ? jwks : 'none:')
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  if (protocol === 'https:' || (protocol === 'http:' && isLocal)) return
  throw new TypeError(
    'jwtIdentity: jwks must be an https address, a JWK Set or a public key in PEM',
  )
}
