import { Browser } from './recipe-browser.js'

/** What pages may send without asking before (Fetch standard, "CORS-safelisted"). */
const simpleTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/
const simpleMethods = ['GET', 'HEAD', 'POST']

/** A page of another origin, in a browser: it asks before, and reads only what it may. */
export class CrossOriginPage extends Browser {
  /** @throws {TypeError} as `fetch` does in a browser, if the server does not allow the request. */
  override async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const method = init.method ?? 'GET'
    const { headers } = new Request(this.origin, init)
    const isSimpleType = simpleTypes.test(headers.get('content-type') ?? 'text/plain')
    const named = [...headers.keys()].filter((name) => name !== 'content-type' || !isSimpleType)
    if (named.length > 0 || !simpleMethods.includes(method)) await this.#ask(path, method, named)
    const response = await super.fetch(path, init)
    this.#requireAllowed(response)
    return response
  }

  async #ask(path: string, method: string, names: readonly string[]): Promise<void> {
    const response = await fetch(this.origin + path, {
      method: 'OPTIONS',
      headers: {
        origin: this.pageOrigin,
        'access-control-request-method': method,
        ...(names.length > 0 && { 'access-control-request-headers': names.join(',') }),
      },
    })
    this.#requireAllowed(response)
    if (!response.ok) throw new TypeError(`the preflight got ${response.status}`)
    const allowed = (name: string) =>
      (response.headers.get(name) ?? '').split(',').map((one) => one.trim().toLowerCase())
    const methods = allowed('access-control-allow-methods')
    if (!simpleMethods.includes(method) && !methods.includes(method.toLowerCase())) {
      throw new TypeError(`${method} is not allowed`)
    }
    for (const name of names) {
      if (!allowed('access-control-allow-headers').includes(name)) {
        throw new TypeError(`${name} is not allowed`)
      }
    }
  }

  #requireAllowed({ headers }: Response): void {
    // With credentials, '*' does not count.
    const isAllowed =
      headers.get('access-control-allow-origin') === this.pageOrigin &&
      headers.get('access-control-allow-credentials') === 'true'
    if (!isAllowed) throw new TypeError(`${this.pageOrigin} must not read the response`)
  }
}
