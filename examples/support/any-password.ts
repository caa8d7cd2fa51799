import type { RequestListener } from 'node:http'

/**
 * Lets users of a development server sign in with any password, as the examples of clients do: asks
 * for the API key as `dev-fetch-api-key` does.
 */
export function acceptAnyPassword(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url === '/api/v1/fetch_api_key') request.url = '/api/v1/dev_fetch_api_key'
    listener(request, response)
  }
}
