import type { PayloadCase } from './payload-case.js'

/** Payloads as services for code, tickets and payments send them. */
export const codeServices: readonly PayloadCase[] = [
  {
    title: 'GitHub, about a pull request',
    payload: {
      text: '',
      attachments: [
        {
          color: '#36a64f',
          pretext: '[octo/site] Pull request submitted by <https://github.example/ada|ada>',
          fallback: '[octo/site] Pull request submitted by ada',
          author_name: 'ada',
          author_link: 'https://github.example/ada',
          author_icon: 'https://github.example/ada.png',
          title: '#42 Fix [the] *login*',
          title_link: 'https://github.example/octo/site/pull/42',
          text: 'Closes #41 &amp; more',
          mrkdwn_in: ['text'],
          fields: [{ title: 'Labels', value: '`bug`', short: true }],
          footer: '<https://github.example/octo/site|octo/site>',
          ts: 1700000000,
        },
      ],
    },
    shows:
      '[octo/site] Pull request submitted by [ada](https://github.example/ada)\n[ada](https://github.example/ada)\n## [#42 Fix [the] *login*](https://github.example/octo/site/pull/42)\nCloses #41 & more\n**Labels**: `bug`\n[octo/site](https://github.example/octo/site) | <time:2023-11-14T22:13:20Z>',
  },
  {
    title: 'GitHub Actions, with blocks',
    payload: {
      text: 'Workflow failed',
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: ':x: *CI* failed on `main`' },
          accessory: {
            type: 'button',
            text: { type: 'plain_text', text: 'View run', emoji: true },
            url: 'https://github.example/runs/7',
          },
        },
        {
          type: 'context',
          elements: [
            { type: 'image', image_url: 'https://github.example/a.png', alt_text: 'octocat' },
            { type: 'mrkdwn', text: 'by <https://github.example/ada|ada>' },
          ],
        },
      ],
    },
    shows:
      ':x: **CI** failed on `main`\n[View run](https://github.example/runs/7)\n\n[octocat](https://github.example/a.png) by [ada](https://github.example/ada)',
  },
  {
    title: 'GitLab, about a push',
    payload: {
      username: 'GitLab',
      text: 'ada pushed to branch <https://git.example/t/main|main> of <https://git.example/t|Team / Site> (<https://git.example/c|Compare changes>)',
      attachments: [
        {
          fallback: '',
          color: '#345',
          text: '<https://git.example/c/1|1f2e3d>: Use 2*3 workers - Ada',
        },
      ],
    },
    shows:
      'ada pushed to branch [main](https://git.example/t/main) of [Team / Site](https://git.example/t) ([Compare changes](https://git.example/c))\n\n[1f2e3d](https://git.example/c/1): Use 2&#42;3 workers - Ada',
  },
  {
    title: 'Bitbucket, about a commit',
    payload: {
      attachments: [
        {
          fallback: 'Ada pushed',
          text: '*Ada* pushed 1 commit to `main`\n<https://bb.example/1|a1b2c3d> _Fix_ it',
          mrkdwn_in: ['text'],
        },
      ],
    },
    shows: '**Ada** pushed 1 commit to `main`\n[a1b2c3d](https://bb.example/1) *Fix* it',
  },
  {
    title: 'Jenkins',
    payload: {
      channel: '#builds',
      link_names: 1,
      attachments: [
        {
          fallback: 'site - #12 Back to normal',
          color: 'good',
          text: 'site » main - #12 Back to normal after 3 min 2 sec (<https://ci.example/job/site/12/|Open>)',
          mrkdwn_in: ['pretext', 'text', 'fields'],
        },
      ],
    },
    shows:
      'site » main - #12 Back to normal after 3 min 2 sec ([Open](https://ci.example/job/site/12/))',
  },
  {
    title: 'CircleCI',
    payload: {
      text: 'Deployment failed',
      blocks: [
        {
          type: 'header',
          text: { type: 'plain_text', text: 'Deployment Failed. :red_circle:', emoji: true },
        },
        {
          type: 'section',
          fields: [
            { type: 'mrkdwn', text: '*Project*: site' },
            { type: 'mrkdwn', text: '*Branch*: main' },
          ],
        },
        { type: 'section', fields: [{ type: 'mrkdwn', text: '*Mentions*: <@U024BE7LH>' }] },
        { type: 'image', image_url: 'https://ci.example/no.png', alt_text: 'CircleCI logo' },
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              action_id: 'view',
              text: { type: 'plain_text', text: 'View Job' },
              url: 'https://ci.example/jobs/3',
            },
          ],
        },
      ],
    },
    shows:
      '## Deployment Failed. :red_circle:\n\n**Project**: site\n**Branch**: main\n\n**Mentions**: @U024BE7LH\n\n[CircleCI logo](https://ci.example/no.png)\n\n[View Job](https://ci.example/jobs/3)',
  },
  {
    title: 'Travis CI',
    payload: {
      username: 'Travis CI',
      attachments: [
        {
          color: 'good',
          fallback: 'Build passed',
          text: 'Build <https://travis.example/1|#1> (<https://github.example/c/1|1f2e3d4>) of octo/site@main by Ada passed in 42 sec',
          mrkdwn_in: ['text'],
        },
      ],
    },
    shows:
      'Build [#1](https://travis.example/1) ([1f2e3d4](https://github.example/c/1)) of octo/site@main by Ada passed in 42 sec',
  },
  {
    title: 'Jira',
    payload: {
      attachments: [
        {
          fallback: 'Ada created WEB-7',
          pretext: 'Ada created a *Bug*',
          title: 'WEB-7 Login `fails`',
          title_link: 'https://jira.example/WEB-7',
          fields: [
            { title: 'Status', value: 'To Do', short: true },
            { title: 'Assignee', value: '~ada', short: true },
          ],
          footer: 'Jira | Website',
        },
      ],
    },
    shows:
      'Ada created a **Bug**\n## [WEB-7 Login &#96;fails&#96;](https://jira.example/WEB-7)\n**Status**: To Do\n**Assignee**: ~ada\nJira | Website',
  },
  {
    title: 'Trello',
    payload: {
      attachments: [
        {
          text: 'Ada moved the card <https://trello.example/c|Fix ~all~ things> from _Doing_ to _Done_',
          mrkdwn_in: ['text'],
          fallback: 'Ada moved a card',
        },
      ],
    },
    shows: 'Ada moved the card [Fix ~all~ things](https://trello.example/c) from *Doing* to *Done*',
  },
  {
    title: 'Asana',
    payload: {
      blocks: [
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: '*<https://asana.example/1|Write page>*\nDue <!date^1700000000^{date_long}|November 14>',
          },
        },
        { type: 'divider' },
        {
          type: 'actions',
          elements: [
            {
              type: 'overflow',
              options: [
                { text: { type: 'plain_text', text: 'Like' }, value: 'l' },
                {
                  text: { type: 'plain_text', text: 'Open' },
                  url: 'https://asana.example/1',
                  value: 'o',
                },
              ],
            },
          ],
        },
      ],
    },
    shows:
      '**[Write page](https://asana.example/1)**\nDue November 14\n\n---\n\nLike | [Open](https://asana.example/1)',
  },
  {
    title: 'Stripe',
    payload: { text: ':moneybag: New payment of *$$20.00* from `cus_1`', mrkdwn: true },
    shows: ':moneybag: New payment of **&#36;&#36;20.00** from `cus_1`',
  },
  {
    title: 'Heroku',
    payload: { text: 'ada deployed `a1b2c3d` to <https://dash.example/apps/site|site>' },
    shows: 'ada deployed `a1b2c3d` to [site](https://dash.example/apps/site)',
  },
]
