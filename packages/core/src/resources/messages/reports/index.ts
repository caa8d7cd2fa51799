import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { MessageReportService } from './message-report-service.js'

const maxDescriptionLength = 1000

const reportMessage = defineCommand({
  id: 'report-message',
  summary: 'Report a message to the moderators.',
  method: 'POST',
  path: '/messages/{message_id}/report',
  access: 'user',
  isPersonal: true,
  params: {
    message_id: Bounded.id(),
    report_type: Type.Union([
      Type.Literal('spam'),
      Type.Literal('harassment'),
      Type.Literal('inappropriate'),
      Type.Literal('norms'),
      Type.Literal('other'),
    ]),
    description: Type.String({
      default: '',
      trim: true,
      maxLength: maxDescriptionLength,
      contentKind: 'report.description',
      description: 'Required if the type is `other`.',
    }),
  },
  errors: ['BAD_REQUEST'],
  service: MessageReportService,
  handle: (reports, { actor, params }) =>
    reports.report(actor, params.message_id, params.report_type, params.description),
})

export const messageReports = defineResource({
  operations: [reportMessage],
})
