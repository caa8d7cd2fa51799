import { allOperations } from '../../packages/core/src/resources/index.js'
import { Router } from '../../packages/core/src/http/pipeline/router.js'
import { asParameterSchema } from '../../packages/core/src/http/parameters/parameter-schema.js'
import { Client, type Answer, type Parameters } from './client.js'

interface Route {
  readonly id: string
  /** The parameters that may be any text. */
  readonly texts: readonly string[]
}

const router = new Router<Route>('')
for (const operation of allOperations) {
  const texts = Object.entries(operation.params)
    .filter(([, schema]) => asParameterSchema(schema).type === 'string')
    .map(([name]) => name)
  router.add(operation, { id: operation.id, texts })
}

/** Sends each request of a kind of text before the request itself, and notes the answers. */
export class SpoilingClient extends Client {
  /** By operation, parameter and place: the answer to a request with such a text there. */
  readonly answers = new Map<string, { readonly status: number; readonly msg: string }>()

  /** @param spoil what becomes of a text. */
  constructor(
    like: Client,
    private readonly spoil: (text: string) => string,
  ) {
    super(like.endpoint, like.credentials, like.id, like.name)
  }

  override async get(path: string, params: Parameters = {}): Promise<Answer> {
    await this.#spoilEach('GET', path, params)
    return super.get(path, params)
  }

  override async post(path: string, params: Parameters = {}): Promise<Answer> {
    await this.#spoilEach('POST', path, params)
    return super.post(path, params)
  }

  override async patch(path: string, params: Parameters = {}): Promise<Answer> {
    await this.#spoilEach('PATCH', path, params)
    return super.patch(path, params)
  }

  override async delete(path: string, params: Parameters = {}): Promise<Answer> {
    await this.#spoilEach('DELETE', path, params)
    return super.delete(path, params)
  }

  async #spoilEach(method: string, path: string, params: Parameters): Promise<void> {
    const match = router.match(method, `/api/v1${path}`)
    if (match?.kind !== 'route') return
    const { id, texts } = match.route
    const inFields = texts.filter((name) => match.pathTexts[name] === undefined)
    const all = { ...Object.fromEntries(inFields.map((name) => [name, 'x'])), ...params }
    for (const [name, value] of Object.entries(all)) {
      for (const [place, spoiled] of spoiledAt(value, this.spoil)) {
        // An address cannot have half of a surrogate pair.
        if (method === 'GET' && /^.*\p{Surrogate}/su.test(String(spoiled))) continue
        const { status, body } = await this.#sendSpoiled(method, path, {
          ...params,
          [name]: spoiled,
        })
        // The length of an unused name changes.
        const msg = String(body?.msg).replaceAll(/\d+/g, '#')
        this.answers.set(`${id} ${name}${place}`, { status, msg })
      }
    }
  }

  async #sendSpoiled(method: string, path: string, params: Parameters): Promise<Answer> {
    if (method === 'GET') return super.get(path, params)
    return this.send(method, path, JSON.stringify(params), { 'content-type': 'application/json' })
  }
}

/** The value with one of its texts or keys changed, for each, with the place. */
function* spoiledAt(
  value: unknown,
  spoil: (text: string) => string,
): Generator<readonly [place: string, spoiled: unknown]> {
  if (typeof value === 'string') yield ['', spoil(value)]
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    for (const [place, spoiled] of spoiledAt(part, spoil)) {
      const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value }
      yield [`.${key}${place}`, Object.assign(copy, { [key]: spoiled })]
    }
    if (Array.isArray(value)) continue
    const { [key]: moved, ...others } = value as Record<string, unknown>
    yield [`.${key}'`, { ...others, [spoil(key)]: moved }]
  }
}
