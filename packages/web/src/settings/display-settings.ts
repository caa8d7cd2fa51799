import { html, type TemplateResult } from 'lit'

import { define } from '../view/view.js'
import { displayTexts } from './display-texts.js'
import { UserSettingsSection } from './user-settings.js'

/** How the chat looks, and what others see of the user. */
class DisplaySettings extends UserSettingsSection {
  protected override render(): TemplateResult {
    return html`<div class="settings-body">
        <fieldset>
          <legend>${displayTexts.display}</legend>
          ${this.switches(displayTexts.displaySwitches)}
          ${this.choice('color_scheme', displayTexts.colors, displayTexts.colorSchemes)}
        </fieldset>
        <fieldset>
          <legend>${displayTexts.privacy}</legend>
          ${this.switches(displayTexts.privacySwitches)}
          ${this.choice(
            'email_address_visibility',
            displayTexts.address,
            displayTexts.addressVisibilities,
          )}
        </fieldset>
        <fieldset aria-describedby="settings-others">
          <legend>${displayTexts.others}</legend>
          <p id="settings-others" class="quiet-text">${displayTexts.othersHint}</p>
          ${this.switches(displayTexts.othersSwitches)}
        </fieldset>
      </div>
      ${this.status()}`
  }
}

define('parley-display-settings', DisplaySettings)
