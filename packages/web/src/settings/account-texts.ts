/** The texts of the user's own account. */
export const accountTexts = {
  key: 'API key',
  keyAbout:
    'Programs act as you with your API key: who has it can read and write everything that you can.',
  keyHidden: 'Your present key cannot be shown, because the chat has no passwords. A new one can.',
  userName: 'E-mail address or user name',
  password: 'Password',
  code: 'Code of the second factor',
  showKey: 'Show the API key',
  keyShown: 'The API key is shown.',
  keyNotShown: (reason: string) => `The API key is not shown. ${reason}`,
  otherAccount: 'That is another account.',
  hideKey: 'Hide',
  hideWhat: (what: string) => `Hide: ${what}`,
  replaceKey: 'Replace the API key',
  replaceQuestion:
    'Replace your API key? Programs and devices that use the present key are logged out at once; so is this page if you have logged in to it with a password.',
  replace: 'Replace',
  keyReplaced: 'This is your new API key.',
  keyNotReplaced: (reason: string) => `The API key was not replaced. ${reason}`,
  account: 'Your account',
  deactivateAbout:
    'Without your account you cannot log in any more. Your messages stay, and administrators can reactivate the account.',
  deactivate: 'Deactivate your account',
  deactivateNow: 'Deactivate',
  deactivateQuestion: (bots: readonly string[]) =>
    [
      'Deactivate your account? You are logged out everywhere and cannot log in again, unless an administrator reactivates it. Your messages stay.',
      ...(bots.length === 0 ? [] : [`Your bots are deactivated too: ${bots.join(', ')}.`]),
    ].join(' '),
  deactivated: 'Your account is deactivated.',
  notDeactivated: (reason: string) => `Your account was not deactivated. ${reason}`,
  copy: 'Copy',
  copyWhat: (what: string) => `Copy: ${what}`,
  copied: (what: string) => `Copied: ${what}`,
  notCopied: (what: string) => `The browser does not copy it. Copy it from the field: ${what}`,
} as const
