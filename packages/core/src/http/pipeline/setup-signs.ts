import type { SetupProblems } from '../../kernel/setup-problems.js'
import { hasBody } from '../bodies/body.js'
import type { ChatRequest } from '../chat-request.js'

const ordinaryPath = /^(\/[\w.~-]+)+$/
const maxPathLength = 200

/** Notes problems of the setup that requests show. */
export class SetupSigns {
  constructor(
    private readonly problems: SetupProblems,
    /** Whether the chat has an endpoint with this method and path. */
    private readonly isEndpoint: (method: string, path: string) => boolean,
    /** The option; empty for the root of the server. */
    private readonly basePath: string,
  ) {}

  /** Notes if a request is the chat's only without the path at which it is mounted, or at its own. */
  ofUnknownPath({ method, path, raw }: ChatRequest): void {
    const [own = ''] = (raw.url ?? '').split('?', 1)
    const mounted = path.slice(0, path.length - own.length)
    if (mounted === '' || !path.endsWith(own) || mounted.length > maxPathLength) return
    if (!ordinaryPath.test(mounted)) return
    if (this.isEndpoint(method, own)) {
      this.problems.note('BASE_PATH_MISSING', mounted + this.basePath)
    } else if (this.isEndpoint(method, this.basePath + own)) {
      this.problems.note('BASE_PATH_MISSING', mounted)
    }
  }

  /** @returns whether the request was to open a WebSocket, which ordinary requests cannot do. */
  ofUpgrade({ headers }: ChatRequest): boolean {
    if (headers['sec-websocket-key'] === undefined) return false
    const isUpgrade = headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '')
    this.problems.note(isUpgrade ? 'UPGRADE_NOT_ATTACHED' : 'UPGRADE_HEADER_MISSING')
    return true
  }

  /** Notes if the body was read before the chat, by something that has left nothing of it. */
  ofBody({ body, parsedBody, headers }: ChatRequest): void {
    const isLost = body === undefined && (parsedBody === undefined || parsedBody === null)
    if (isLost && hasBody(headers)) this.problems.note('BODY_LOST')
  }

  /** Notes if an address is derived from a request without what its proxy has said. */
  ofAddress({ headers, protocol, host }: ChatRequest): void {
    const ignored = [
      isOther(headers['x-forwarded-proto'], protocol) && 'X-Forwarded-Proto',
      isOther(headers['x-forwarded-host'], host) && 'X-Forwarded-Host',
    ].filter((name) => name !== false)
    if (ignored.length > 0) {
      this.problems.note('FORWARDED_HEADERS_IGNORED', ignored.join(' and '))
    }
  }
}

/** Whether a header is there, and its first value is not that which is used. */
function isOther(header: string | string[] | undefined, used: string): boolean {
  if (header === undefined) return false
  const [first = ''] = String(header).split(',', 1)
  return first.trim().toLowerCase() !== used.toLowerCase()
}
