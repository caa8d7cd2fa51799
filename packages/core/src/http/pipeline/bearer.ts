/** The token of an `Authorization` header with the scheme `Bearer` (RFC 6750). */
export function bearerOf(authorization = ''): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization.trim())?.[1]
}
