/** The texts of notifications of the desktop. */
export const desktopTexts = {
  turnOn: 'Turn on notifications',
  turnOff: 'Turn off notifications',
  denied: 'The browser does not allow notifications of this page.',
  isOn: 'Notifications are on.',
  isOff: 'Notifications are off.',
  titleIn: (sender: string, place: string) => `${sender} in ${place}`,
  hiddenText: 'New direct message',
} as const
