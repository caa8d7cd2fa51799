/** The words by which mail programs introduce the mail that is answered, in lower case. */

const listOf = (words: string) => words.trim().split(/,\s+/)

/** Verbs of lines such as "On 2 November 2026 at 9:00, Ada wrote:". */
export const attributionVerbs = listOf(`
  wrote, writes, schrieb, a écrit, escribió, va escriure, ha scritto, schreef, geschreven, skrev,
  escreveu, napisał, pisze, napsal, napísal, написа, пишет, пише, kirjoitti, kirjutas, yazdı, írta,
  a scris, έγραψε, napisao, napisala, je oseba, rašė, rakstīja, כתב, كتب, نوشت, đã viết, menulis,
  เขียน, 写道, 寫道, 書きました, 작성, 썼습니다
`)

/** First words of such lines, which date and name follow. */
export const attributionStarts =
  /^(?:on|am|le|el|il|op|den|em|dne|dnia|w dniu|v|på|i|la|în|στις|в|בתאריך|في)\s/iu

/** First words of lines that have no verb, such as "Quoting Ada <ada@example.com>:". */
export const quotingStarts = /^(?:quoting|zitat von|citando a|citation de|citeren)\s/iu

/** With them, a line such as "On page 3 you wrote:" is the sender's own. */
export const pronouns = new Set(
  listOf(`
    i, you, he, she, it, we, they, ich, du, er, sie, wir, ihr, je, tu, elle, nous, vous, yo, tú, él,
    ella, usted, io, lui, lei, ik, jij, u, hij, zij, wij, jag, han, hon, jeg, hun, eu, você
  `),
)

/** Names of the field `From` in the header that Outlook and others put above a mail. */
export const fromLabels = new Set(
  listOf(`
    from, von, de, da, van, från, fra, od, от, від, lähettäjä, kimden, gönderen, από, feladó, de la,
    expéditeur, remitente, mittente, saatja, nuo, 发件人, 寄件者, 寄件人, 差出人, 送信元, 보낸 사람,
    מאת, من
  `),
)

/** Names of the field `Subject` there. */
export const subjectLabels = new Set(
  listOf(`
    subject, betreff, betr., objet, asunto, oggetto, onderwerp, ämne, emne, assunto, temat, předmět,
    predmet, тема, aihe, konu, θέμα, tárgy, subiect, assumpte, teema, tema, 主题, 主旨, 件名, 제목,
    נושא, الموضوع
  `),
)

/** Titles between dashes above a mail that is answered. */
export const dividerTitles = new Set(
  listOf(`
    original message, original mail, reply message, ursprüngliche nachricht, originalnachricht,
    original-nachricht, message d'origine, message d’origine, message original, mensaje original,
    mensagem original, messaggio originale, oorspronkelijk bericht, origineel bericht,
    originalmeddelande, ursprungligt meddelande, oprindelig meddelelse, original meddelelse,
    opprinnelig melding, oryginalna wiadomość, wiadomość oryginalna, původní zpráva,
    исходное сообщение, alkuperäinen viesti, orijinal ileti, özgün ileti, eredeti üzenet,
    mesaj original, 原始邮件, 原始郵件, 邮件原件, 元のメッセージ, 원본 메시지
  `),
)

/** How people say that their answers are within the quoted mail. */
export const answersBelow = listOf(`
  below, inline, in-line, in line with, interspersed, my answers, my comments, in red, in blue,
  unten, im text, in der mail, meine antworten, meine anmerkungen, meine kommentare, in rot, in blau,
  ci-dessous, plus bas, dans le texte, mes réponses, mes commentaires, en rouge, en bleu, abajo,
  en el texto, mis respuestas, mis comentarios, en rojo, qui sotto, di seguito, nel testo,
  le mie risposte, in rosso, hieronder, in de tekst, mijn antwoorden, nedan, nedenfor, mina svar,
  mine svar, abaixo, minhas respostas, em vermelho, poniżej, moje odpowiedzi, na czerwono, níže,
  červeně, ниже, мои ответы, красным, aşağıda, kırmızı, 下面, 如下, 红色, 紅色, 下記, 以下, 赤字, 아래
`)
