import { createHash } from 'node:crypto'

const style =
  'body{font:1.1em sans-serif;max-width:28em;margin:4em auto;padding:0 1em}' +
  'a{display:inline-block;margin-top:1em;padding:.6em 1.2em;color:#fff;background:#2456b8;' +
  'border-radius:.3em;text-decoration:none}'

/** Block scripts, subresources, form submissions and framing. */
export const consentPageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'X-Frame-Options': 'DENY',
  // Lets the server recognize navigation from this page in browsers without Fetch Metadata.
  'Referrer-Policy': 'same-origin',
} as const

/** A page that asks a user who came from another site whether to sign in on this device. */
export function consentPage(
  organizationName: string,
  fullName: string,
  continueUrl: string,
): string {
  const [organization, name, url] = [organizationName, fullName, continueUrl].map(escape)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${organization}</title>
<style>${style}</style>
<h1>${organization}</h1>
<p>Sign in to the app on this device as <strong>${name}</strong>?</p>
<p>Continue only if you have just asked the app to sign in.</p>
<a href="${url}">Continue</a>
</html>
`
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
