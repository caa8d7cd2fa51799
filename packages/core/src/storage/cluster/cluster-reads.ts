import type { MysqlConnection } from '../connections/mysql-pools.js'
import type { ClusterNode, PoolClient } from './cluster-node.js'

/**
 * Lets reads of a node go to other nodes while it is away, and runs a read again whose node is lost
 * meanwhile. A scope that has chosen its reader before needs no other.
 *
 * @param next another node that is not away; undefined if there is none.
 */
export function readElsewhere(
  node: ClusterNode,
  next: (node: ClusterNode) => ClusterNode | undefined,
): void {
  const client = clientOf(node)
  const own: PoolClient = {
    acquireConnection: client.acquireConnection.bind(client),
    releaseConnection: client.releaseConnection.bind(client),
    // Looked up at each call, because tracing replaces it.
    _query: (connection, statement) =>
      (Object.getPrototypeOf(client) as PoolClient)._query.call(client, connection, statement),
  }
  /** The pools of other nodes' connections. */
  const owners = new WeakMap<MysqlConnection, PoolClient>()

  const acquireElsewhere = async (): Promise<MysqlConnection | undefined> => {
    const other = next(node)
    if (other === undefined) return undefined
    const owner = clientOf(other)
    const connection = await owner.acquireConnection()
    owners.set(connection, owner)
    return connection
  }
  client.acquireConnection = async () => {
    if (!node.isAway) {
      try {
        return await own.acquireConnection()
      } catch (error) {
        const connection = node.isAway ? await acquireElsewhere() : undefined
        if (connection === undefined) throw error
        return connection
      }
    }
    return (await acquireElsewhere()) ?? own.acquireConnection()
  }
  client.releaseConnection = (connection) =>
    (owners.get(connection) ?? own).releaseConnection(connection)
  client._query = async (connection, statement) => {
    try {
      return await own._query(connection, statement)
    } catch (error) {
      if (!owners.has(connection)) node.note(error, statement.sql)
      if (!node.isAway || owners.has(connection)) throw error
      const other = await acquireElsewhere()
      if (other === undefined) throw error
      try {
        return await own._query(other, statement)
      } finally {
        await client.releaseConnection(other)
      }
    }
  }
}

function clientOf({ reader }: ClusterNode): PoolClient {
  return reader.client as PoolClient
}
