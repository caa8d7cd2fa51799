import type { HttpOperationCalls } from '@parley/wire/calls'

import type { CallOptions, FileToUpload, ReturnedFile } from './call.js'

export type * from '@parley/wire/http-operations'

/** The operations of the API. A call throws an `ApiError` if the server refuses it. */
export interface ChatApi extends HttpOperationCalls<CallOptions, FileToUpload, ReturnedFile> {}
