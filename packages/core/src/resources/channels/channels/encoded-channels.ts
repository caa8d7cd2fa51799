import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { FollowedLogs } from '../../../events/log/followed-logs.js'
import { encodedFields } from '../../../kernel/encoded-list.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { GroupSettingValues } from '../../groups/user-groups/index.js'
import { ChannelObjects, settingsOnWire } from './channel-objects.js'
import { ChannelRepository } from './channel-repository.js'
import type { VisibilityOfChannel } from './channel-rows.js'
import type { ChannelRow } from './channels-table.js'
import { ChannelTraffic } from './channel-traffic.js'

/** Memory limit of the kept channels of all organizations, in UTF-16 units. */
const maxKeptLength = 16 * 1024 * 1024
/** The approximate length of a channel besides its texts. */
const lengthOfChannel = 500

/** A channel for lists: who may see it, and its JSON. */
export interface EncodedChannel
  extends
    VisibilityOfChannel,
    Pick<
      ChannelRow,
      'id' | 'version' | 'name' | 'is_archived' | 'is_default' | 'created_at_seconds'
    > {
  /** The fields that change only with its version, without braces. */
  readonly versionedJson: string
}

/**
 * All channels of an organization. Registrations need them, and few have changed since the last one:
 * their JSON is kept, and the version in the row of a channel tells whether it still holds.
 */
@perServer()
export class EncodedChannels {
  readonly #kept = new LRUCache<number, readonly EncodedChannel[]>({
    maxSize: maxKeptLength,
    sizeCalculation: (channels) =>
      channels.reduce(
        (sum, channel) => sum + lengthOfChannel + channel.versionedJson.length,
        lengthOfChannel,
      ),
  })

  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelObjects) private readonly objects: ChannelObjects,
    @inject(GroupSettingValues) private readonly settingValues: GroupSettingValues,
    @inject(ChannelTraffic) private readonly traffic: ChannelTraffic,
    @inject(FollowedLogs) logs: FollowedLogs,
  ) {
    logs.onEnd((organizationId) => this.#kept.delete(organizationId))
  }

  /** Every channel, by name. */
  async list(scope: OrganizationScope): Promise<readonly EncodedChannel[]> {
    return scope.memoize('encoded channels', () => this.#list(scope))
  }

  /** @returns a function that returns the JSON of a channel, without braces. */
  async encoder(scope: OrganizationScope): Promise<(channel: EncodedChannel) => string> {
    return scope.memoize('encoder of channels', async () => {
      const valueOf = await this.settingValues.reader(scope)
      const trafficOf = await this.traffic.reader(scope)
      // Most channels of an organization have the settings of others.
      const known = new Map<string, string>()
      const encodedSettings = (channel: EncodedChannel): string => {
        let json = known.get(channel.settings)
        if (json === undefined) {
          json = encodedFields(settingsOnWire(channel, valueOf))
          known.set(channel.settings, json)
        }
        return json
      }
      return (channel) =>
        `${channel.versionedJson},${encodedSettings(channel)},"stream_weekly_traffic":${trafficOf(channel)}`
    })
  }

  async #list(scope: OrganizationScope): Promise<readonly EncodedChannel[]> {
    const versions = new Map(
      (await this.channels.listVersions(scope)).map(({ id, version }) => [id, version]),
    )
    const kept = this.#kept.get(scope.organizationId) ?? []
    const current = kept.filter(({ id, version }) => versions.get(id) === version)
    if (current.length === versions.size && kept.length === current.length) return kept
    for (const { id } of current) versions.delete(id)
    const changed = await this.#encode(scope, [...versions.keys()])
    const list = [...current, ...changed].sort(byName)
    // Elsewhere a channel may be newer than its version, or never be committed.
    if (scope.isCommittedState) this.#kept.set(scope.organizationId, list)
    return list
  }

  async #encode(scope: OrganizationScope, ids: readonly number[]): Promise<EncodedChannel[]> {
    const rows = await this.channels.findAmong(scope, ids)
    const fields = await this.objects.versionedFields(scope, rows)
    const yielder = new EventLoopYielder()
    const encoded: EncodedChannel[] = []
    for (const [index, row] of rows.entries()) {
      if (yielder.isDue) await yielder.yield()
      encoded.push({
        id: row.id,
        version: row.version,
        name: row.name,
        is_archived: row.is_archived,
        is_default: row.is_default,
        is_private: row.is_private,
        is_web_public: row.is_web_public,
        settings: row.settings,
        created_at_seconds: row.created_at_seconds,
        versionedJson: encodedFields(present(fields[index], 'the fields of each row')),
      })
    }
    return encoded
  }
}

function byName(a: EncodedChannel, b: EncodedChannel): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
