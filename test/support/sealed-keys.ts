import { until } from './waiting.js'
import type { TestHost } from './host.js'

/** Waits until all API keys are encrypted under the current secret. */
export async function untilSealedAgain(host: TestHost): Promise<void> {
  await until('all keys to be sealed under the current secret', async () => {
    const { oldSecretsInUse } = await host.chat.health()
    return oldSecretsInUse?.length === 0
  })
}
