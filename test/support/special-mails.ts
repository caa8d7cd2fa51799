/** Hand-written mails that templates do not have. */
export interface SpecialMail {
  readonly title: string
  readonly subject: string
  /** Whether the headers say that it is a reply. */
  readonly isReply?: boolean
  readonly text?: string
  readonly html?: string
  /** What remains as a whole. Without it, the text remains as it is. */
  readonly remains?: string
}

const header = 'From: Ada <ada@old.example>\nSent: Monday 9:00\nTo: Eve\nSubject: Party'
const wrote = 'On Mon, Nov 2, 2026 at 9:00 AM Ada <ada@old.example> wrote:'

/** Mails that answer no other mail: nothing of them is a quote. */
const newMails: readonly SpecialMail[] = [
  {
    title: 'a contact form with fields that Outlook has too',
    subject: 'New message from your site',
    text: 'From: Eve <eve@x.example>\nDate: 2026-11-02\nTo: shop@x.example\nSubject: Order\n\nWhere is it?',
  },
  {
    title: 'a German booking',
    subject: 'Buchung 4711',
    text: 'Von: Berlin Hbf\nDatum: 2. November 2026\nAn: Hamburg\nBetreff: Fahrt\n\nWagen 7 (info@bahn.example)',
  },
  {
    title: 'a form with lines between its parts',
    subject: 'Anfrage',
    text: 'Name: Eve\nTelefon: 123\n--\nNachricht: bitte zurückrufen\n--\nGesendet: heute',
  },
  {
    title: 'a form with a line before its last part',
    subject: 'Request',
    text: 'Name: Eve\nPhone: 123\n--\nPlease call me back',
  },
  {
    title: 'a French form',
    subject: 'Formulaire',
    text: 'De : Eve <eve@x.example>\nDate : 2 novembre\nÀ : vente\nObjet : devis\n\nLe 2 novembre, il me faut un devis.',
  },
  {
    title: 'an output of cron',
    subject: 'Cron <root@web1> backup',
    text: 'copying\n> 3 files changed\n> done\n    total 17\n--\nexit status 0, see the log for details about all of it',
  },
  {
    title: 'a dump of a database',
    subject: 'dump',
    text: '--\n-- Name: users\n--\nCREATE TABLE users (id int);\n\n--\n-- dump complete\n--',
  },
  {
    title: 'a quotation at the end',
    subject: 'Poem',
    text: 'Listen:\n\n> Two roads diverged\n> in a wood',
  },
  {
    title: 'a sentence about what somebody wrote',
    subject: 'Minutes',
    text: 'On Monday, Bob wrote:\n> We are late.\n\nWhat now?',
  },
  {
    title: 'Outlook’s words in a text',
    subject: 'Question',
    text: `How do I get rid of this?\n\n-----Original Message-----\n${header}\n\nHi`,
  },
  {
    title: 'a list of changes',
    subject: '[app] 2 commits',
    text: 'Author: Eve <eve@x.example>\nDate: Mon Nov 2\n\n    Fix it\n\n- a\n+ b\n-- c',
  },
  {
    title: 'a monitoring alert',
    subject: 'PROBLEM: disk',
    text: '***** Monitor *****\n\nHost: web1\nState: DOWN\nDate/Time: Mon Nov 2 09:00:00 2026\n\nInfo:\n> 95% used',
  },
  {
    title: 'an order confirmation in HTML',
    subject: 'Your order',
    html: '<p>From: Shop &lt;s@x.example&gt;<br>Sent: today<br>To: Eve<br>Subject: order</p><p>2 cakes</p>',
    remains: 'From: Shop <s@x.example>\nSent: today\nTo: Eve\nSubject: order\n\n2 cakes',
  },
  {
    title: 'a quotation in HTML',
    subject: 'Poem',
    html: '<p>Listen:</p><blockquote type="cite">Two roads</blockquote>',
    remains: 'Listen:\n\n> Two roads',
  },
  {
    title: 'a signature after two dashes and a blank',
    subject: 'Hello',
    text: 'Come at 9.\n\n-- \nEve Outside\nOutside Ltd.\n\nPhone 123',
    remains: 'Come at 9.',
  },
  {
    title: 'a short signature after two dashes',
    subject: 'Hello',
    text: 'Come at 9.\n\n--\nEve Outside\nOutside Ltd.',
    remains: 'Come at 9.',
  },
  {
    title: 'two dashes between paragraphs',
    subject: 'Hello',
    text: 'Come at 9.\n--\nAnd please remember to bring the cake that we ordered.\n\nEve',
  },
  {
    title: 'two dashes before a question',
    subject: 'Hello',
    text: 'Come at 9.\n--\nOr at 10?',
  },
  {
    title: 'two dashes with a blank before a long text',
    subject: 'Hello',
    text: `Part one\n-- \n${'A line of part two\n'.repeat(40)}The end`,
  },
  {
    title: 'a line that a mailbox has marked',
    subject: 'Hello',
    text: 'Come at 9.\n>From there we walk.',
  },
]

/** Forwarded mails keep everything. */
const forwards: readonly SpecialMail[] = [
  {
    title: 'a mail forwarded by Gmail',
    subject: 'Fwd: Party',
    isReply: true,
    text: `FYI\n\n---------- Forwarded message ---------\n${header}\n\nWhen?\n\n-- \nAda`,
  },
  {
    title: 'a mail forwarded by Outlook in German',
    subject: 'WG: Party',
    isReply: true,
    text: `Zur Info\n\n${header}\n\nWann?`,
  },
  {
    title: 'a thread forwarded by Apple Mail',
    subject: 'Fwd: Party',
    text: `Look\n\nBegin forwarded message:\n\n> ${header.replaceAll('\n', '\n> ')}\n> \n> When?`,
  },
  {
    title: 'a forwarded mail with another subject',
    subject: 'See this',
    isReply: true,
    text: 'What do you think?\n\n---------- Forwarded message ---------\nFrom: Ada\nDate: Monday\n\nWhen?',
  },
  {
    title: 'a mail forwarded in HTML with another subject',
    subject: 'See this',
    isReply: true,
    html: '<div>FYI</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: Ada<br></div>When?</div>',
    remains: 'FYI\n---------- Forwarded message ---------\nFrom: Ada\nWhen?',
  },
  {
    title: 'a Chinese forward',
    subject: '转发：聚会',
    isReply: true,
    text: `请看\n\n${wrote}\n> 什么时候`,
  },
]

const replies: readonly SpecialMail[] = [
  {
    title: 'an answer that begins with "On" without a blank line below it',
    subject: 'Re: Party',
    text: `On Friday we can meet\n${wrote}\n> When?`,
    remains: 'On Friday we can meet',
  },
  {
    title: 'a text that refers to a quote of its own',
    subject: 'Re: Party',
    text: 'On page 3 you wrote:\n> When?\n\nI do not know.',
  },
  {
    title: 'a text that refers to a quote of its own with a day',
    subject: 'Re: Party',
    text: 'On Monday you wrote:\n> When?\n\nI do not know.',
  },
  {
    title: 'a text that ends with a quote of its own',
    subject: 'Re: Slogan',
    text: 'The new text is:\n\n> We sell boats.',
  },
  {
    title: 'a quote without an attribution at the end',
    subject: 'Re: Party',
    text: 'At 9.\n\n> When?\n> Where?',
    remains: 'At 9.',
  },
  {
    title: 'an attribution in three lines',
    subject: 'Re: Party',
    text: 'At 9.\n\nOn Monday, November 2, 2026 at 9:00:00 AM UTC+1\nAda Byron of the Department of Engines\n<ada@old.example> wrote:\n\n> When?',
    remains: 'At 9.',
  },
  {
    title: 'an attribution with the address first, in two lines',
    subject: 'Re: Party',
    text: 'Um 9.\n\nAda Byron von der Abteilung <ada@old.example>\nschrieb am Mo., 2. Nov. 2026, 09:00:\n\n> Wann?',
    remains: 'Um 9.',
  },
  {
    title: 'an attribution that is broken in an address',
    subject: 'Re: Party',
    text: 'Um 9.\n\nAm Mo., 2. Nov. 2026 um 09:00 Uhr schrieb Ada Byron <\nada@old.example>:\n\n> Wann?',
    remains: 'Um 9.',
  },
  {
    title: 'an attribution of a language without words for it',
    subject: 'Re: Party',
    text: 'Kl. 9.\n\nHin 2. nóvember 2026 klukkan 09:00 sagði Ada:\n> Hvenær?\n\nEða 10.',
  },
  {
    title: 'Outlook without addresses',
    subject: 'RE: Party',
    text: 'At 9.\n\nFrom: Ada\nSent: Monday\nTo: Eve\nSubject: Party\n\nWhen?',
  },
  {
    title: 'Outlook with an answer below, which nothing marks',
    subject: 'RE: Party',
    text: `${header}\n\nWhen?\n\nAt 9.`,
  },
  {
    title: 'Outlook with answers in the quote',
    subject: 'RE: Party',
    text: `Hi, see my answers below.\n\n${header}\n\nWhen?\nAt 9.`,
  },
  {
    title: 'Outlook with a line above its header',
    subject: 'RE: Party',
    text: `At 9.\n\n________________________________\n${header}\n\nWhen?`,
    remains: 'At 9.',
  },
  {
    title: 'Outlook with recipients on several lines',
    subject: 'RE: Party',
    text: 'At 9.\n\nFrom: Ada\nSent: Monday\nTo: Eve <eve@x.example>; Bob\n Carol <carol@x.example>\nCc: Dan\nSubject: Party\n\nWhen?',
    remains: 'At 9.',
  },
  {
    title: 'a divider of old programs',
    subject: 'AW: Party',
    text: 'Um 9.\n\n-----Ursprüngliche Nachricht-----\nVon: Ada\nWann?',
    remains: 'Um 9.',
  },
  {
    title: 'a divider above an attribution',
    subject: 'Re: Party',
    text: `At 9.\n\n------- Original Message -------\n${wrote}\n\n> When?\n`,
    remains: 'At 9.',
  },
  {
    title: 'fields of a form in a reply',
    subject: 'Re: Booking',
    text: 'Please book:\n\nFrom: Berlin\nTo: Hamburg\nDate: 2026-11-02\nPersons: 4 (eve@x.example)\n\nThanks',
  },
  {
    title: 'a signature above the quote and an answer below',
    subject: 'Re: Party',
    text: `Hi\n-- \nEve\n\n${wrote}\n> When?\n\nAt 9.`,
    remains: 'Hi\n\nAt 9.',
  },
  {
    title: 'a footer of a list below the quote',
    subject: 'Re: [list] Party',
    text: `At 9.\n\n${wrote}\n\n> When?\n\n-- \nYou received this message because you subscribed.\nTo leave, write to leave@list.example.`,
    remains: 'At 9.',
  },
  {
    title: 'several quoted mails',
    subject: 'Re: Re: Party',
    text: `At 9.\n\n${wrote}\n> At 8?\n>\n> On Sun, Nov 1, 2026, Eve wrote:\n>> When?\n`,
    remains: 'At 9.',
  },
  {
    title: 'an attribution with nothing below',
    subject: 'Re: Party',
    text: `At 9.\n\n${wrote}\n`,
    remains: 'At 9.',
  },
  {
    title: 'a very long quote above the answer',
    subject: 'Re: Party',
    text: `${wrote}\n${`> ${'when '.repeat(15)}\n`.repeat(3000)}\nAt 9.`,
    remains: 'At 9.',
  },
  {
    title: 'a very long quote above the answer, in HTML',
    subject: 'Re: Party',
    html: `<div class="gmail_attr">${wrote}</div><blockquote>${'<div>when when when</div>'.repeat(9000)}</blockquote><div>At 9.</div>`,
    remains: 'At 9.',
  },
  {
    title: 'Yahoo in HTML',
    subject: 'Re: Party',
    html: '<div>At 9.</div><div class="ydp1yahoo_quoted"><div>On Monday, Ada wrote:</div><div>When?</div></div>',
    remains: 'At 9.',
  },
  {
    title: 'GMX in HTML',
    subject: 'Aw: Party',
    html: '<div>Um 9.</div><div name="quote"><div><b>Von:</b> Ada</div><div name="quoted-content">Wann?</div></div>',
    remains: 'Um 9.',
  },
  {
    title: 'Proton in HTML, with an answer in the quote',
    subject: 'Re: Party',
    html: '<div class="protonmail_quote">On Monday, November 2nd, 2026 at 9:00 AM, Ada &lt;ada@old.example&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">When?</blockquote>At 9.</div>',
    remains: 'At 9.',
  },
  {
    title: 'Thunderbird in HTML, with answers between the quotes',
    subject: 'Re: Party',
    html: '<div class="moz-cite-prefix">Hin 2.11.2026 sagði Ada:<br></div><blockquote type="cite">When?</blockquote><p>At 9.</p><blockquote type="cite">Where?</blockquote><p>Here.</p><pre class="moz-signature">-- \nEve</pre>',
    remains: 'At 9.\n\n> Where?\n\nHere.',
  },
  {
    title: 'Outlook in HTML with everything in one part',
    subject: 'RE: Party',
    html: '<div id="divRplyFwdMsg">From: Ada</div><div>When?</div><div>At 9.</div>',
    remains: 'From: Ada\nWhen?\nAt 9.',
  },
  {
    title: 'an HTML part that has more than the text part',
    subject: 'Re: Party',
    text: '> When?\n> Where?',
    html: '<blockquote>When?</blockquote><div>At 9.</div><blockquote>Where?</blockquote><div>Here.</div>',
    remains: '> When?\n\nAt 9.\n\n> Where?\n\nHere.',
  },
  {
    title: 'a long text in HTML within one element',
    subject: 'Report',
    html: `<html><body><div>${'<p>A paragraph of the report.</p>'.repeat(2000)}</div></body></html>`,
    remains: `${'A paragraph of the report.\n\n'.repeat(2)}…`,
  },
]

export const specialMails: readonly SpecialMail[] = [...newMails, ...forwards, ...replies]

export function rawOf({ subject, isReply = false, text, html }: SpecialMail): string {
  const references = isReply ? 'References: <1@old.example>\n' : ''
  const head = `From: eve@outside.example\nSubject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=\n${references}MIME-Version: 1.0\n`
  const part = (kind: string, content: string) =>
    `Content-Type: text/${kind}; charset=utf-8\n\n${content}`
  if (html === undefined) return head + part('plain', text ?? '')
  if (text === undefined) return head + part('html', html)
  const parts = [part('plain', text), part('html', html)].map((one) => `--x\n${one}\n`)
  return `${head}Content-Type: multipart/alternative; boundary=x\n\n${parts.join('')}--x--`
}
