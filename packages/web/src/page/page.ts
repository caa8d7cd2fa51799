import { createHash } from 'node:crypto'

import { encodedFor, type CompressedFile } from './compressed-file.js'

/** Files of the page by name; the names contain hashes of the contents. */
export interface PageFiles {
  /** The module that starts the page. */
  readonly start: string
  readonly style: string
  readonly files: Readonly<Record<string, CompressedFile>>
}

export interface ChatPageOptions {
  /** Where the page is, below the chat's base path. @default '/chat' */
  readonly path?: string
  /** The title of the window. @default 'Chat' */
  readonly title?: string
  /**
   * Where people log in, if not with the chat's own form: a path or address of the product, which
   * gets the page's path as the parameter `next`.
   */
  readonly loginUrl?: string
  /** Pages that may show this one in a frame, such as `https://intranet.example`. @default none */
  readonly frameAncestors?: readonly string[]
}

/** The parts of a request that the page needs. */
export interface PageAsked {
  readonly path: string
  /** Lower-case names, as `node:http` gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

export interface PageContext {
  /** Where the chat is at its origin; empty for its root. */
  readonly basePath: string
}

export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export interface PageHandler {
  handle(request: PageAsked, context: PageContext): PageAnswer | undefined
}

const common = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'same-origin' }
const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Serves the page and its files. */
export class Page implements PageHandler {
  readonly #options: ChatPageOptions
  readonly #path: string
  readonly #files: PageFiles
  /** The document by base path: one chat has one. */
  readonly #documents = new Map<string, PageAnswer>()

  constructor(options: ChatPageOptions, files: PageFiles) {
    const path = options.path ?? '/chat'
    if (!/^(\/[\w.~-]+)*\/?$/.test(path)) throw new TypeError(`'${path}' is not a path`)
    this.#options = options
    this.#path = path.replace(/\/$/, '')
    this.#files = files
  }

  handle({ path, headers }: PageAsked, { basePath }: PageContext): PageAnswer | undefined {
    const place = basePath + this.#path
    if (path === place || path === `${place}/`) return this.#document(basePath)
    const start = `${place}/parley-page/`
    const name = path.startsWith(start) ? path.slice(start.length) : ''
    const file = Object.hasOwn(this.#files.files, name) ? this.#files.files[name] : undefined
    if (file === undefined) return undefined
    const { encoding, body } = encodedFor(file, headers['accept-encoding'])
    return {
      status: 200,
      headers: {
        ...common,
        'Content-Type': mediaTypes[name.split('.').at(-1) ?? ''] ?? 'text/plain',
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Cross-Origin-Resource-Policy': 'same-origin',
        Vary: 'Accept-Encoding',
        ...(encoding !== undefined && { 'Content-Encoding': encoding }),
      },
      body,
    }
  }

  #document(basePath: string): PageAnswer {
    const known = this.#documents.get(basePath)
    if (known !== undefined) return known
    const files = `${basePath}${this.#path}/parley-page`
    const { title = 'Chat', loginUrl, frameAncestors } = this.#options
    const script = startScript(`${files}/${this.#files.start}`)
    const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${files}/${this.#files.style}">
</head>
<body>
<parley-page base-path="${escaped(basePath)}" heading="${escaped(title)}"${
      loginUrl === undefined ? '' : ` login-url="${escaped(loginUrl)}"`
    }></parley-page>
<noscript>This page needs JavaScript.</noscript>
<script>${script}</script>
</body>
</html>
`
    const hash = createHash('sha256').update(script).digest('base64')
    const answer = {
      status: 200,
      headers: {
        ...common,
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-cache',
        ETag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
        'Content-Security-Policy': [
          "default-src 'none'",
          // The script of this hash and those that it adds to the page may run, and nothing else.
          `script-src 'sha256-${hash}' 'strict-dynamic'`,
          "style-src 'self'",
          "img-src 'self' data: blob:",
          "media-src 'self' blob:",
          "font-src 'self'",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'self'",
          `frame-ancestors ${frameAncestors?.join(' ') ?? "'none'"}`,
          "require-trusted-types-for 'script'",
          'trusted-types parley parley-start lit-html',
        ].join('; '),
      },
      body,
    }
    this.#documents.set(basePath, answer)
    return answer
  }
}

/** Scripts that a script adds may import other modules, unlike those of the document itself. */
function startScript(address: string): string {
  return (
    `const u=${JSON.stringify(address)},s=document.createElement("script"),` +
    'p=window.trustedTypes?.createPolicy("parley-start",{createScriptURL:()=>u});' +
    's.type="module";s.src=p?p.createScriptURL(u):u;document.head.append(s)'
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
