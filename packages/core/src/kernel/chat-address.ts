/** The path of the API, below that of the chat. */
export const apiPath = '/api/v1'

/**
 * Where clients find the chat, and the only place that builds its paths: all of them begin with the
 * application's `basePath`.
 */
export class ChatAddress {
  /**
   * URL of the chat without a trailing slash, such as `https://product.example/chat`; undefined if
   * it depends on the request.
   */
  readonly url: string | undefined

  /**
   * @param basePath without a trailing slash, such as `/chat`; empty for the root of the server.
   * @param baseUrl scheme and host; undefined if they depend on the request.
   */
  constructor(
    readonly basePath: string,
    baseUrl: string | undefined,
  ) {
    this.url = baseUrl === undefined ? undefined : this.at(baseUrl)
  }

  /** URL of the chat at an origin. */
  at(origin: string): string {
    return origin + this.basePath
  }

  /** Path of an endpoint of the API; `path` is relative to it. */
  api(path: `/${string}`): string {
    return this.basePath + apiPath + path
  }

  /** Path of a file beside the API, such as an upload or an avatar. */
  file(path: `/${string}`): string {
    return this.basePath + path
  }
}

/** URL of an endpoint of the API, from the URL of the chat. */
export function apiUrl(chatUrl: string, path: `/${string}`): string {
  return chatUrl + apiPath + path
}
