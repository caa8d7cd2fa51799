/** What mail programs write above a quote in a language, and a short conversation in it. */
export interface MailLanguage {
  /** Above a quote of Gmail, Apple Mail, Thunderbird and Yahoo Mail. */
  readonly gmail: string
  readonly apple: string
  readonly thunderbird: string
  readonly yahoo: string
  /** The fields `From`, `Sent`, `To` and `Subject` of Outlook. */
  readonly outlook: readonly [string, string, string, string]
  readonly sentFromPhone: string
  readonly subjectPrefix: string
  /** The first line begins like an attribution. */
  readonly answers: readonly [string, string, string]
  readonly questions: readonly [string, string, string]
}

const ada = 'Ada Byron <ada@old.example>'

export const mailLanguages: Readonly<Record<string, MailLanguage>> = {
  English: {
    gmail: `On Mon, Nov 2, 2026 at 9:00 AM ${ada} wrote:`,
    apple: `On 2 Nov 2026, at 09:00, ${ada} wrote:`,
    thunderbird: 'On 11/2/26 09:00, Ada Byron wrote:',
    yahoo: `On Monday, November 2, 2026 at 09:00:00 AM GMT+1, ${ada} wrote:`,
    outlook: ['From', 'Sent', 'To', 'Subject'],
    sentFromPhone: 'Sent from my iPhone',
    subjectPrefix: 'Re:',
    answers: ['On Friday I can come at 9:00.', 'She wrote: bring cake', 'Yes, 50% of it.'],
    questions: ['When can you come?', 'What did Eve say?', 'Is it enough?'],
  },
  German: {
    gmail: `Am Mo., 2. Nov. 2026 um 09:00 Uhr schrieb ${ada}:`,
    apple: `Am 02.11.2026 um 09:00 schrieb ${ada}:`,
    thunderbird: 'Am 02.11.26 um 09:00 schrieb Ada Byron:',
    yahoo: `Am Montag, 2. November 2026 um 09:00:00 MEZ hat ${ada} Folgendes geschrieben:`,
    outlook: ['Von', 'Gesendet', 'An', 'Betreff'],
    sentFromPhone: 'Von meinem iPhone gesendet',
    subjectPrefix: 'AW:',
    answers: ['Am Freitag komme ich um 9:00.', 'Sie schrieb: Kuchen mitbringen', 'Ja, zur Hälfte.'],
    questions: ['Wann kannst du kommen?', 'Was sagt Eve?', 'Reicht es?'],
  },
  French: {
    gmail: `Le lun. 2 nov. 2026 à 09:00, ${ada} a écrit :`,
    apple: `Le 2 nov. 2026 à 09:00, ${ada} a écrit :`,
    thunderbird: 'Le 02/11/2026 à 09:00, Ada Byron a écrit :',
    yahoo: `Le lundi 2 novembre 2026 à 09:00:00 UTC+1, ${ada} a écrit :`,
    outlook: ['De', 'Envoyé', 'À', 'Objet'],
    sentFromPhone: 'Envoyé de mon iPhone',
    subjectPrefix: 'RE :',
    answers: ['Le vendredi, je viens à 9:00.', 'Elle a écrit : un gâteau', 'Oui, la moitié.'],
    questions: ['Quand viens-tu ?', 'Que dit Eve ?', 'Ça suffit ?'],
  },
  Spanish: {
    gmail: 'El lun, 2 nov 2026 a las 9:00, Ada Byron (<ada@old.example>) escribió:',
    apple: `El 2 nov 2026, a las 9:00, ${ada} escribió:`,
    thunderbird: 'El 2/11/26 a las 9:00, Ada Byron escribió:',
    yahoo: `En lunes, 2 de noviembre de 2026, 09:00:00 CET, ${ada} escribió:`,
    outlook: ['De', 'Enviado el', 'Para', 'Asunto'],
    sentFromPhone: 'Enviado desde mi iPhone',
    subjectPrefix: 'RE:',
    answers: ['El viernes puedo ir a las 9:00.', 'Ella escribió: un pastel', 'Sí, la mitad.'],
    questions: ['¿Cuándo vienes?', '¿Qué dice Eve?', '¿Es bastante?'],
  },
  Italian: {
    gmail: `Il giorno lun 2 nov 2026 alle ore 09:00 ${ada} ha scritto:`,
    apple: `Il giorno 2 nov 2026, alle ore 09:00, ${ada} ha scritto:`,
    thunderbird: 'Il 02/11/2026 09:00, Ada Byron ha scritto:',
    yahoo: `Il lunedì 2 novembre 2026 alle ore 09:00:00 CET, ${ada} ha scritto:`,
    outlook: ['Da', 'Inviato', 'A', 'Oggetto'],
    sentFromPhone: 'Inviato da iPhone',
    subjectPrefix: 'R:',
    answers: ['Il venerdì vengo alle 9:00.', 'Lei ha scritto: una torta', 'Sì, la metà.'],
    questions: ['Quando vieni?', 'Cosa dice Eve?', 'Basta?'],
  },
  Dutch: {
    gmail: `Op ma 2 nov 2026 om 09:00 schreef ${ada}:`,
    apple: `Op 2 nov 2026, om 09:00 heeft ${ada} het volgende geschreven:`,
    thunderbird: 'Op 02-11-2026 om 09:00 schreef Ada Byron:',
    yahoo: `Op maandag 2 november 2026 om 09:00:00 CET schreef ${ada}:`,
    outlook: ['Van', 'Verzonden', 'Aan', 'Onderwerp'],
    sentFromPhone: 'Verstuurd vanaf mijn iPhone',
    subjectPrefix: 'Antw:',
    answers: ['Op vrijdag kom ik om 9:00.', 'Zij schreef: neem taart mee', 'Ja, de helft.'],
    questions: ['Wanneer kom je?', 'Wat zegt Eve?', 'Is het genoeg?'],
  },
  Portuguese: {
    gmail: `Em seg., 2 de nov. de 2026 às 09:00, ${ada} escreveu:`,
    apple: `No dia 2 de nov. de 2026, às 09:00, ${ada} escreveu:`,
    thunderbird: 'Em 02/11/2026 09:00, Ada Byron escreveu:',
    yahoo: `Em segunda-feira, 2 de novembro de 2026 às 09:00:00 BRT, ${ada} escreveu:`,
    outlook: ['De', 'Enviada', 'Para', 'Assunto'],
    sentFromPhone: 'Enviado do meu iPhone',
    subjectPrefix: 'RES:',
    answers: ['Em geral venho às 9:00.', 'Ela escreveu: um bolo', 'Sim, metade.'],
    questions: ['Quando vens?', 'O que diz a Eve?', 'Chega?'],
  },
  Swedish: {
    gmail: `Den mån 2 nov. 2026 kl 09:00 skrev ${ada}:`,
    apple: `2 nov. 2026 kl. 09:00 skrev ${ada}:`,
    thunderbird: 'Den 2026-11-02 kl. 09:00, skrev Ada Byron:',
    yahoo: `Den måndag 2 november 2026 09:00:00 CET, ${ada} skrev:`,
    outlook: ['Från', 'Skickat', 'Till', 'Ämne'],
    sentFromPhone: 'Skickat från min iPhone',
    subjectPrefix: 'SV:',
    answers: ['Den dagen kommer jag kl. 9:00.', 'Hon skrev: ta med tårta', 'Ja, hälften.'],
    questions: ['När kommer du?', 'Vad säger Eve?', 'Räcker det?'],
  },
  Polish: {
    gmail: `pon., 2 lis 2026 o 09:00 ${ada} napisał(a):`,
    apple: `Wiadomość napisana przez ${ada} w dniu 2 lis 2026, o godz. 09:00:`,
    thunderbird: 'W dniu 2.11.2026 o 09:00, Ada Byron pisze:',
    yahoo: `W dniu poniedziałek, 2 listopada 2026 09:00:00 CET użytkownik ${ada} napisał:`,
    outlook: ['Od', 'Wysłano', 'Do', 'Temat'],
    sentFromPhone: 'Wysłane z iPhone’a',
    subjectPrefix: 'Odp:',
    answers: ['W dniu spotkania będę o 9:00.', 'Ona napisała: przynieś ciasto', 'Tak, połowa.'],
    questions: ['Kiedy przyjdziesz?', 'Co mówi Eve?', 'Wystarczy?'],
  },
  Russian: {
    gmail: `пн, 2 нояб. 2026 г. в 09:00, ${ada}:`,
    apple: `2 нояб. 2026 г., в 09:00, ${ada} написал(а):`,
    thunderbird: '02.11.2026 09:00, Ada Byron пишет:',
    yahoo: `В понедельник, 2 ноября 2026 г., 09:00:00 GMT+3, ${ada} написал(-а):`,
    outlook: ['От', 'Отправлено', 'Кому', 'Тема'],
    sentFromPhone: 'Отправлено с iPhone',
    subjectPrefix: 'Re:',
    answers: ['В пятницу приду в 9:00.', 'Она пишет: принеси торт', 'Да, половина.'],
    questions: ['Когда придёшь?', 'Что говорит Ева?', 'Хватит?'],
  },
  Japanese: {
    gmail: `2026年11月2日(月) 9:00 ${ada}:`,
    apple: `2026/11/02 9:00、${ada}のメール:`,
    thunderbird: 'On 2026/11/02 9:00, Ada Byron wrote:',
    yahoo: `2026年11月2日月曜日 9:00:00 JST、${ada} が書きました:`,
    outlook: ['差出人', '送信日時', '宛先', '件名'],
    sentFromPhone: 'iPhoneから送信',
    subjectPrefix: 'Re:',
    answers: ['金曜日の9:00に行きます。', '彼女の返事: ケーキを持って', 'はい、半分です。'],
    questions: ['いつ来ますか？', 'イブは何と？', '足りますか？'],
  },
  Turkish: {
    gmail: `${ada}, 2 Kas 2026 Pzt, 09:00 tarihinde şunu yazdı:`,
    apple: `${ada} şunları yazdı (2 Kas 2026 09:00):`,
    thunderbird: '2.11.2026 09:00 tarihinde Ada Byron yazdı:',
    yahoo: `2 Kasım 2026 Pazartesi 09:00:00 GMT+3 tarihinde, ${ada} şunu yazdı:`,
    outlook: ['Gönderen', 'Gönderildi', 'Kime', 'Konu'],
    sentFromPhone: 'iPhone’umdan gönderildi',
    subjectPrefix: 'YNT:',
    answers: ['Cuma günü saat 9:00 olur.', 'O yazdı: pasta getir', 'Evet, yarısı.'],
    questions: ['Ne zaman gelirsin?', 'Eve ne diyor?', 'Yeter mi?'],
  },
}
