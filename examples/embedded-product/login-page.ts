/** A form that leads to `next` after the login. */
export function loginPage(next: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The Shop</title>
<link rel="icon" href="data:,">
<form method="post" action="/login">
  <input type="hidden" name="next" value="${escapeHtml(next)}">
  <label>Address <input name="email" type="email" autocomplete="username"></label>
  <label>Password <input name="password" type="password" autocomplete="current-password"></label>
  <button>Log in</button>
</form>
</html>
`
}

/** @returns `next` if it stays on this server, otherwise an empty text: links must not lead away. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || !URL.canParse(next, 'http://own.invalid')) return ''
  const { origin, pathname, search } = new URL(next, 'http://own.invalid')
  return next.startsWith('/') && origin === 'http://own.invalid' ? pathname + search : ''
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
