import type { Locator } from 'playwright-core'

import type { TestPage } from './browser.js'

/** The dialog of the channel that a window shows. */
export async function openAbout(page: TestPage, name: string, tab = 'General'): Promise<Locator> {
  await page.getByRole('button', { name: `About #${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `About #${name}` })
  await dialog.getByRole('tab', { name: tab }).click()
  await dialog.getByRole('tabpanel', { name: tab }).waitFor()
  return dialog
}

/** Chooses what is found in a field for users and groups. */
export async function pick(
  dialog: Locator,
  label: string,
  words: string,
  name: string,
): Promise<void> {
  const field = dialog.getByRole('combobox', { name: label })
  await field.pressSequentially(words)
  await dialog.getByRole('option', { name, selected: true }).waitFor()
  await field.press('Enter')
}

export const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((each) => each.matches(':focus'))
