/**
 * The page that a mailed link opens. Programs that only follow links must not confirm the address,
 * so the page has a form for that.
 */
export function confirmationPage(newEmail: string): Buffer {
  return page(
    'Confirm your new email address',
    `<form method="post"><p>Use <b>${escaped(newEmail)}</b> from now on?</p>` +
      '<p><button type="submit">Confirm</button></p></form>',
  )
}

export function confirmedPage(newEmail: string): Buffer {
  return page(
    'Your email address was changed',
    `<p>Your address is now <b>${escaped(newEmail)}</b>. You can close this page.</p>`,
  )
}

/** Headers of a page that has a secret in its address and may submit its own form. */
export const confirmationPageHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const

function page(title: string, body: string): Buffer {
  return Buffer.from(
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">' +
      `<title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`,
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
