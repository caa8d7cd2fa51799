import { ChatError } from '../../errors/index.js'
import type { OperationMessage } from '../../kernel/telemetry/spans.js'
import type { Telemetry } from '../../kernel/telemetry/telemetry.js'
import type { ChatResponse } from '../chat-request.js'

/** Reports a request of an operation, from before its caller is known to its response. */
export function traceRequest(
  { operations }: Telemetry,
  operation: string,
  answer: (message?: OperationMessage) => Promise<ChatResponse>,
): Promise<ChatResponse> {
  if (!operations.isOn) return answer()
  const message: OperationMessage = { operation, via: 'http' }
  return operations.run(message, () => answer(message), {
    onResult: ({ status }) => {
      message.status = status
    },
  })
}

/** Reports a call of the application's own code. */
export function traceCall<Result>(
  { operations }: Telemetry,
  operation: string,
  organizationId: number,
  call: () => Promise<Result>,
): Promise<Result> {
  if (!operations.isOn) return call()
  const message: OperationMessage = { operation, via: 'application', organizationId }
  return operations.run(message, call, {
    onResult: () => {
      message.status = 200
    },
    onError: (error) => {
      message.status = error instanceof ChatError ? error.status : 500
    },
  })
}
