import { createServer } from 'node:http'

import { metrics, SpanStatusCode, trace } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import {
  ConsoleSpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { createChatServer } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import express from 'express'

import { databaseConfig, parseExampleArguments } from '../support/arguments.js'
import { chatOptions } from '../support/chat-options.js'
import { closeOnSignal, listen, loadOrganization, startChat } from '../support/serve.js'

const options = parseExampleArguments({ database: 'parley.sqlite' })

// The product's own OpenTelemetry, before the chat is created.
const traces = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())],
})
traces.register()
const prometheus = new PrometheusExporter({ preventServerStart: true })
const meters = new MeterProvider({ readers: [prometheus] })
metrics.setGlobalMeterProvider(meters)

const chat = createChatServer({
  database: databaseConfig(options.database),
  ...chatOptions(options),
  telemetry: { tracer: trace.getTracer('parley'), meter: metrics.getMeter('parley') },
})
await startChat(chat)
const { users } = await loadOrganization(chat, options.organization)

const app = express()
// The product's metrics and the chat's, on one page. Let only Prometheus reach it.
app.get('/metrics', async (_request, response) => {
  const { resourceMetrics } = await prometheus.collect()
  response
    .type('text/plain; version=0.0.4')
    .send(new PrometheusSerializer().serialize(resourceMetrics))
})
// A span for each request of the product, which the chat's spans continue. Usually an
// instrumentation of OpenTelemetry makes it.
const tracer = trace.getTracer('product')
app.use((request, response, next) => {
  tracer.startActiveSpan(request.method, (span) => {
    response.once('close', () => {
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
    next()
  })
})
app.use(createChatMiddleware(chat))
const server = createServer(app)
attachChatUpgrade(server, chat, app)
closeOnSignal(server, chat, async () => {
  await traces.shutdown()
  await meters.shutdown()
})
const origin = await listen(server, options.port, users)
console.log(`The metrics are at ${origin}/metrics`)
