import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand, defineOperation, FileReply } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { DataExport, dataExportsChanged } from './data-export-events.js'
import { DataExportProduction } from './data-export-production.js'
import { archiveName, DataExportService, exportTypes } from './data-export-service.js'

const getRealmExports = defineOperation({
  id: 'get-realm-exports',
  summary: 'List the data exports of the organization.',
  method: 'GET',
  path: '/export/realm',
  access: 'administrator',
  answersWithSecrets: true,
  params: {},
  response: Type.Object({ exports: Type.Array(DataExport) }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  service: DataExportService,
  handle: async (exports, { actor }) => ({ exports: await exports.list(actor) }),
})

const exportRealm = defineOperation({
  id: 'export-realm',
  summary: 'Request a data export, which is produced in the background.',
  method: 'POST',
  path: '/export/realm',
  access: 'administrator',
  params: {
    export_type: Type.Optional(
      Type.Union(
        exportTypes.map((type) => Type.Literal(type)),
        {
          default: 1,
          description: '1 public channels only; 2 also the private data of users who consent.',
        },
      ),
    ),
  },
  response: Type.Object({ id: Type.Integer() }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: DataExportService,
  handle: async (exports, { actor, params }) => ({
    id: await exports.request(actor, params.export_type ?? 1),
  }),
})

const getRealmExportConsents = defineOperation({
  id: 'get-realm-export-consents',
  summary: 'List which users allow the export of their private data.',
  method: 'GET',
  path: '/export/realm/consents',
  access: 'administrator',
  params: {},
  response: Type.Object({
    export_consents: Type.Array(
      Type.Object({ user_id: Type.Integer(), consented: Type.Boolean() }),
    ),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  service: DataExportService,
  handle: async (exports, { actor }) => ({ export_consents: await exports.consents(actor) }),
})

const deleteRealmExport = defineCommand({
  id: 'delete-realm-export',
  summary: 'Delete the archive of a data export.',
  method: 'DELETE',
  path: '/export/realm/{export_id}',
  access: 'administrator',
  params: { export_id: Bounded.id() },
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
  service: DataExportService,
  handle: (exports, { actor, params }) => exports.delete(actor, params.export_id),
})

const readRealmExport = defineOperation({
  id: 'read-realm-export',
  summary: 'Download a data export. For administrators.',
  method: 'GET',
  isAtRoot: true,
  path: '/user_uploads/exports/{realm_id}/{export_token}/{filename}',
  access: 'administrator',
  mediaType: 'application/gzip',
  params: {
    realm_id: Bounded.id(),
    export_token: Bounded.name(),
    filename: Bounded.name(),
  },
  response: Type.Object({}),
  errors: ['ROUTE_NOT_FOUND', 'UNAUTHORIZED_PRINCIPAL'],
  service: DataExportService,
  async handle(exports, { actor, params }) {
    const { content, sizeBytes } = await exports.read(actor, params)
    return new FileReply(content, 'application/gzip', {
      headers: {
        'Content-Length': String(sizeBytes),
        'Content-Disposition': `attachment; filename="${archiveName}"`,
      },
    })
  },
})

export const dataExports = defineResource({
  operations: [
    getRealmExports,
    exportRealm,
    getRealmExportConsents,
    deleteRealmExport,
    readRealmExport,
  ],
  events: [dataExportsChanged],
  backgroundWork: [DataExportProduction],
})
