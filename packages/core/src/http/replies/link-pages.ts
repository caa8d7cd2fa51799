import { Type, type Static, type TObject, type TProperties } from 'typebox'

import { visitorText, type ChatError } from '../../errors/index.js'
import { htmlPage, htmlPageHeaders, htmlPageType } from '../../kernel/html-page.js'
import { escapeHtml } from '../../kernel/html.js'
import { namedText } from '../../texts/index.js'
import {
  defineOperation,
  FileReply,
  type Operation,
  type OperationDeclaration,
  type RefusedVisit,
} from '../operation.js'
import type { Organization } from '../ports.js'

/** An operation to which a link in a mail leads. */
interface LinkPage<Params extends TProperties, Service> extends Pick<
  OperationDeclaration<Params, TObject, Service, 'anyone'>,
  'id' | 'summary' | 'method' | 'path' | 'params' | 'errors' | 'service'
> {
  /** Writes the page of a success, as HTML. */
  readonly page: (
    service: Service,
    organization: Organization,
    params: Static<TObject<Params>>,
    acceptLanguage: string | undefined,
  ) => Promise<Buffer>
}

const headers = htmlPageHeaders('no-referrer')

/** Declares an operation to which a link in a mail leads: its responses, errors too, are pages. */
export function defineLinkPage<const Params extends TProperties, Service>({
  page,
  ...declaration
}: LinkPage<Params, Service>): Operation {
  return defineOperation<Params, TObject, Service, 'anyone'>({
    ...declaration,
    access: 'anyone',
    countedByAddress: true,
    response: Type.Object({}),
    mediaType: 'text/html',
    errorPage,
    async handle(service, { params, request: { organization, acceptLanguage } }) {
      const content = await page(service, organization, params, acceptLanguage)
      return new FileReply(content, htmlPageType, { headers })
    },
  })
}

/** The page of an error for browsers that have opened a link; other clients get the JSON. */
function errorPage(error: ChatError, { writer, prefersHtml }: RefusedVisit): FileReply | undefined {
  if (!prefersHtml) return undefined
  const title = writer.write(namedText('PAGE_REFUSED'))
  const body = `<p>${escapeHtml(visitorText(error, writer))}</p>`
  return new FileReply(htmlPage(writer.locale, title, body), htmlPageType, { headers })
}
