import type { PayloadCase } from './payload-case.js'

/** Payloads as services that send alerts send them. */
export const alertServices: readonly PayloadCase[] = [
  {
    title: 'Grafana, about an alert',
    payload: {
      channel: '#alerts',
      username: 'Grafana',
      icon_emoji: ':fire:',
      attachments: [
        {
          title: '[FIRING:1] High load (db1 prod)',
          title_link: 'https://grafana.example/alerting/list',
          text: '**Firing**\n\nValue: B=93.5, C=1\nLabels:\n - alertname = High load\n - instance = db1\nSource: https://grafana.example/g/x/view?orgId=1\n',
          fallback: '[FIRING:1] High load',
          fields: [],
          footer: 'Grafana v11.0.0',
          footer_icon: 'https://grafana.example/i.png',
          color: '#D63232',
          ts: 1700000060,
          mrkdwn_in: ['pretext'],
        },
      ],
    },
    shows:
      '## [[FIRING:1] High load (db1 prod)](https://grafana.example/alerting/list)\n&#42;&#42;Firing&#42;&#42;\n\nValue: B=93.5, C=1\nLabels:\n - alertname = High load\n - instance = db1\n\nSource: https://grafana.example/g/x/view?orgId=1\n\nGrafana v11.0.0 | <time:2023-11-14T22:14:20Z>',
  },
  {
    title: 'an older Grafana, with numbers',
    payload: {
      attachments: [
        {
          color: '#D63232',
          title: '[Alerting] Disk',
          title_link: 'https://grafana.example/d/1',
          text: 'Almost full',
          fields: [
            { title: 'sda1', value: 97.3, short: true },
            { title: 'read only', value: false },
            { title: 'errors', value: 0 },
            { title: 'free', value: null },
          ],
          image_url: 'https://grafana.example/p.png',
        },
      ],
    },
    shows:
      '## [[Alerting] Disk](https://grafana.example/d/1)\nAlmost full\n**sda1**: 97.3\n**read only**: false\n**errors**: 0\nfree\n[image](https://grafana.example/p.png)',
  },
  {
    title: 'Alertmanager',
    payload: {
      channel: '#ops',
      username: 'alertmanager',
      attachments: [
        {
          title: '[FIRING:2] InstanceDown (critical)',
          title_link: 'https://am.example/#/alerts?receiver=ops',
          pretext: '',
          text: '• *Alert:* instance db1 - `critical`\n• *Details:* down &gt; 5m',
          fallback: '[FIRING:2] InstanceDown',
          callback_id: '',
          color: 'danger',
          footer: '',
          fields: [{ title: 'Job', value: 'node', short: true }],
          actions: [
            {
              type: 'button',
              text: 'Runbook :green_book:',
              url: 'https://wiki.example/run',
              style: '',
              name: '',
              value: '',
            },
            {
              type: 'button',
              text: 'Silence :no_bell:',
              url: 'https://am.example/#/silences/new',
              style: 'danger',
            },
          ],
          mrkdwn_in: ['fallback', 'pretext', 'text'],
        },
      ],
    },
    shows:
      '## [[FIRING:2] InstanceDown (critical)](https://am.example/#/alerts?receiver=ops)\n• **Alert:** instance db1 - `critical`\n• **Details:** down > 5m\n**Job**: node\n[Runbook :green_book:](https://wiki.example/run) | [Silence :no_bell:](https://am.example/#/silences/new)',
  },
  {
    title: 'Sentry, with blocks',
    payload: {
      text: 'Resolved: TypeError',
      attachments: [
        {
          color: '#E03E2F',
          blocks: [
            {
              type: 'section',
              text: {
                type: 'mrkdwn',
                text: ':red_circle: <https://sentry.example/i/1?a=1&amp;b=2|*TypeError*>',
              },
              block_id: '{"issue":1}',
            },
            {
              type: 'section',
              text: { type: 'mrkdwn', text: "```Cannot read 'x' of &lt;null&gt;```" },
            },
            {
              type: 'context',
              elements: [
                {
                  type: 'mrkdwn',
                  text: 'State: *Ongoing*   First Seen: *<!date^1700000000^{ago}|1 hour ago>*',
                },
              ],
            },
            {
              type: 'actions',
              elements: [
                {
                  type: 'button',
                  action_id: 'resolve',
                  text: { type: 'plain_text', text: 'Resolve' },
                  value: 'r',
                },
                {
                  type: 'static_select',
                  action_id: 'assign',
                  placeholder: { type: 'plain_text', text: 'Select Assignee...' },
                },
              ],
            },
          ],
          fallback: '[site] TypeError',
        },
      ],
    },
    shows:
      "Resolved: TypeError\n\n:red_circle: [*TypeError*](https://sentry.example/i/1?a=1&b=2)\n\n```\nCannot read 'x' of <null>\n```\n\nState: **Ongoing**   First Seen: **1 hour ago**\n\nResolve | Select Assignee...",
  },
  {
    title: 'an older Sentry',
    payload: {
      attachments: [
        {
          fallback: '[site] KeyError',
          title: 'KeyError: <name>',
          title_link: 'https://sentry.example/2',
          text: '&lt;module&gt; in app.py',
          fields: [{ title: 'Culprit', value: 'app.views in login' }],
          footer: 'SITE-2 via <https://sentry.example/r|rule>',
          ts: 1700000120,
          color: 'error',
        },
      ],
    },
    shows:
      '## [KeyError: <name>](https://sentry.example/2)\n<module> in app.py\n**Culprit**: app.views in login\nSITE-2 via [rule](https://sentry.example/r) | <time:2023-11-14T22:15:20Z>',
  },
  {
    title: 'PagerDuty',
    payload: {
      attachments: [
        {
          fallback: 'Triggered #7: Web down',
          color: '#ff0000',
          text: '*Triggered* <https://pd.example/7|#7>: Web down',
          fields: [
            { title: 'Assigned', value: '<mailto:ada@example.com|Ada>', short: true },
            { title: 'Service', value: '<https://pd.example/s|Web>', short: true },
          ],
          mrkdwn_in: ['text', 'fields'],
          actions: [
            { name: 'ack', text: 'Acknowledge', type: 'button', value: 'a' },
            {
              name: 'resolve',
              text: 'Resolve',
              type: 'button',
              confirm: { title: 'Sure?', text: 'No way back' },
            },
          ],
        },
      ],
    },
    shows:
      '**Triggered** [#7](https://pd.example/7): Web down\n**Assigned**: [Ada](mailto:ada@example.com)\n**Service**: [Web](https://pd.example/s)\nAcknowledge | Resolve',
  },
  {
    title: 'Datadog',
    payload: {
      attachments: [
        {
          title: '[Triggered] CPU is high on host:db1',
          title_link: 'https://dd.example/m/1',
          text: '@slack-ops CPU above 90%\n\nThe monitor was last triggered at <!date^1700000000^{date_short} {time}|Nov 14>.',
          image_url: 'https://dd.example/g.png',
          fields: [{ title: 'Metric Value', value: 93.27 }],
          footer: 'host:db1, env:prod',
          color: '#C00',
        },
      ],
    },
    shows:
      '## [[Triggered] CPU is high on host:db1](https://dd.example/m/1)\n@slack-ops CPU above 90%\n\nThe monitor was last triggered at Nov 14.\n**Metric Value**: 93.27\n[image](https://dd.example/g.png)\nhost:db1, env:prod',
  },
  {
    title: 'Opsgenie',
    payload: {
      username: 'Opsgenie',
      attachments: [
        {
          fallback: 'New alert',
          title: '#12: Queue length > 100',
          title_link: 'https://og.example/12',
          fields: [
            { title: 'Priority', value: 'P2' },
            { title: 'Tags', value: 'queue, prod' },
            { title: 'Routed Teams', value: 'ops_team' },
          ],
          color: '#FD4B00',
        },
      ],
    },
    shows:
      '## [#12: Queue length > 100](https://og.example/12)\n**Priority**: P2\n**Tags**: queue, prod\n**Routed Teams**: ops_team',
  },
  {
    title: 'Zabbix',
    payload: {
      attachments: [
        {
          fallback: 'Problem',
          title: 'Problem: Free space < 20%',
          title_link: 'https://zbx.example/tr',
          color: '#7499FF',
          fields: [
            { title: 'Host', value: 'db1 [10.0.0.5]', short: true },
            { title: 'Severity', value: 4, short: true },
          ],
          actions: [{ type: 'button', text: 'Event details', url: 'https://zbx.example/e' }],
        },
      ],
    },
    shows:
      '## [Problem: Free space < 20%](https://zbx.example/tr)\n**Host**: db1 [10.0.0.5]\n**Severity**: 4\n[Event details](https://zbx.example/e)',
  },
  {
    title: 'Nagios',
    payload: {
      text: '<!channel> PROBLEM: db1/disk is CRITICAL\nDISK CRITICAL - free space: / 2% <https://nag.example|see Nagios>',
    },
    shows:
      '@channel PROBLEM: db1/disk is CRITICAL\nDISK CRITICAL - free space: / 2% [see Nagios](https://nag.example)',
  },
  {
    title: 'New Relic',
    payload: {
      attachments: [
        {
          title: 'Apdex < 0.7 for 5 minutes',
          title_link: 'https://nr.example/1',
          pretext: '*site* violated',
          fields: [
            { title: 'Duration (min)', value: 5 },
            { title: 'Open', value: true },
          ],
          thumb_url: 'https://nr.example/t.png',
        },
      ],
    },
    shows:
      '**site** violated\n## [Apdex < 0.7 for 5 minutes](https://nr.example/1)\n**Duration (min)**: 5\n**Open**: true\n[image](https://nr.example/t.png)',
  },
  {
    title: 'Prometheus by a Go template',
    payload: { text: 'Alert <no value> for 3*2 * 4 and a < b' },
    shows: 'Alert <no value> for 3&#42;2 * 4 and a < b',
  },
  {
    title: 'AWS Chatbot',
    payload: {
      blocks: [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: ':rotating_light: *<https://aws.example/cw|CloudWatch Alarm | cpu | eu-west-1>*',
          },
        },
        { type: 'section', fields: [{ type: 'mrkdwn', text: '*Threshold*\n&gt;= 80' }] },
      ],
    },
    shows:
      ':rotating_light: **[CloudWatch Alarm | cpu | eu-west-1](https://aws.example/cw)**\n\n**Threshold**\n> = 80',
  },
  {
    title: 'Uptime Kuma',
    payload: {
      text: 'Uptime Kuma Alert',
      channel: null,
      username: 'Uptime Kuma',
      icon_emoji: '',
      attachments: [
        {
          color: '#2eb886',
          blocks: [
            { type: 'header', text: { type: 'plain_text', text: 'Uptime Kuma Alert' } },
            {
              type: 'section',
              fields: [
                { type: 'mrkdwn', text: '*Message*\n[site] [🔴 Down] timeout' },
                { type: 'mrkdwn', text: '*Time (UTC)*\n2026-01-02 03:04:05' },
              ],
            },
            {
              type: 'actions',
              elements: [
                {
                  type: 'button',
                  text: { type: 'plain_text', text: 'Visit Uptime Kuma' },
                  value: 'Uptime-Kuma',
                  url: 'https://up.example/dashboard/1',
                },
              ],
            },
          ],
        },
      ],
    },
    shows:
      'Uptime Kuma Alert\n\n## Uptime Kuma Alert\n\n**Message**\n[site] [🔴 Down] timeout\n**Time (UTC)**\n2026-01-02 03:04:05\n\n[Visit Uptime Kuma](https://up.example/dashboard/1)',
  },
]
