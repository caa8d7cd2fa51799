import { createHash } from 'node:crypto'

import type { Timer } from '../../kernel/clock.js'
import { ClusterNode, type ClusterNodeParts } from './cluster-node.js'
import { readElsewhere } from './cluster-reads.js'

const maxNodes = 16
const checkMilliseconds = 1000

export interface ClusterParts extends Omit<ClusterNodeParts, 'connection'> {
  readonly connections: readonly (string | object)[]
}

interface KnownNode {
  readonly node: ClusterNode
  readonly hash: number
}

/**
 * The nodes of a Galera cluster. Every process prefers the same node for an organization, because
 * transactions of different nodes that change the same row conflict, and only one of them commits.
 */
export class ClusterNodes {
  readonly #nodes: readonly KnownNode[]
  readonly #checking = new Map<ClusterNode, Timer>()
  #isClosed = false

  /** @throws {TypeError} if the connections are unusable. */
  constructor(private readonly parts: ClusterParts) {
    const { connections } = parts
    if (connections.length === 0 || connections.length > maxNodes) {
      throw new TypeError(`database.nodes must have 1 to ${maxNodes} connections`)
    }
    this.#nodes = connections.map((connection) => {
      const node = new ClusterNode({ ...parts, connection })
      return { node, hash: hashOf(node.name) }
    })
    if (new Set(this.#nodes.map(({ node }) => node.name)).size < connections.length) {
      throw new TypeError('database.nodes has the same node twice')
    }
    for (const { node } of this.#nodes) readElsewhere(node, (other) => this.#next(other))
  }

  get size(): number {
    return this.#nodes.length
  }

  /** The node for an organization: the preferred one of those that are not away. */
  for(organizationId: number): ClusterNode {
    return this.#best((node) => !node.isAway, organizationId) ?? this.#any(organizationId)
  }

  /** Whether an error means that a node does not serve, so that another one may. */
  isNodeLost(error: unknown): boolean {
    return this.parts.isNodeLost(error)
  }

  /**
   * Asks all nodes whether they are ready, and from now on once a second.
   *
   * @throws {Error} if the servers are not of one Galera cluster.
   */
  async connect(): Promise<void> {
    const nodes = this.#nodes.map(({ node }) => node)
    await Promise.all(nodes.map((node) => node.check()))
    const other = nodes.find(({ clusterId }) => clusterId === '')
    if (other !== undefined) {
      throw new Error(`database.nodes: ${other.name} is not a node of a Galera cluster`)
    }
    const ids = new Set(nodes.map(({ clusterId }) => clusterId).filter((id) => id !== undefined))
    if (ids.size > 1) throw new Error('database.nodes: the nodes are of different clusters')
    if (this.#checking.size === 0) for (const node of nodes) this.#checkAgain(node)
  }

  close(): void {
    this.#isClosed = true
    for (const timer of this.#checking.values()) timer.cancel()
  }

  #checkAgain(node: ClusterNode): void {
    if (this.#isClosed) return
    const check = async (): Promise<void> => {
      await node.check()
      this.#checkAgain(node)
    }
    this.#checking.set(
      node,
      this.parts.clock.setTimeout(() => void check(), checkMilliseconds),
    )
  }

  /** Another node that is not away. */
  #next(node: ClusterNode): ClusterNode | undefined {
    return this.#best((other) => other !== node && !other.isAway, 0)
  }

  #any(organizationId: number): ClusterNode {
    return this.#best(() => true, organizationId) as ClusterNode
  }

  /** Rendezvous hashing: if a node is away, only the organizations that preferred it move. */
  #best(isUsable: (node: ClusterNode) => boolean, organizationId: number): ClusterNode | undefined {
    let best: ClusterNode | undefined
    let bestScore = -1
    for (const { node, hash } of this.#nodes) {
      const score = mix(hash ^ Math.imul(organizationId, 0x9e37_79b1))
      if (score <= bestScore || !isUsable(node)) continue
      best = node
      bestScore = score
    }
    return best
  }
}

function hashOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE()
}

/** The finalizer of MurmurHash3: each bit of the result depends on all bits. */
function mix(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
