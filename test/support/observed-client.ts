import { Client, type Answer } from './client.js'

/** A client whose requests are sent by `around`, which calls the function that it gets. */
export class ObservedClient extends Client {
  constructor(
    like: Client,
    private readonly around: (
      send: () => Promise<Answer>,
      request: Parameters<Client['send']>,
    ) => Promise<Answer>,
  ) {
    super(like.endpoint, like.credentials, like.id, like.name)
  }

  override send(...request: Parameters<Client['send']>): Promise<Answer> {
    return this.around(() => super.send(...request), request)
  }
}
