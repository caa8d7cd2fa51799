import type { Telemetry } from '../../../kernel/telemetry/telemetry.js'
import type { StoredRecord } from './consumer-repository.js'

/** Reports the handling of an entry, as a span that is linked to the commit that has written it. */
export function traceEntry(
  telemetry: Telemetry,
  consumer: string,
  { kind: event, organizationId, seq }: StoredRecord,
  attempt: number,
  handle: () => Promise<void>,
): Promise<void> {
  const { consumers } = telemetry
  if (!consumers.isOn) return handle()
  const context = telemetry.commitOf(organizationId, seq)
  const links = context === undefined ? [] : [{ context }]
  return consumers.run({ consumer, event, organizationId, seq, attempt }, handle, {}, links)
}
