import { css } from 'lit'

/** The pages for channels and groups. */
export const manageStyle = css`
  parley-channel {
    display: flex;
    flex-direction: column;
    gap: 8px;
    height: min(680px, 100dvh - 40px);
  }
  parley-groups > :not(div) {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
  }
  parley-picker {
    position: relative;
    display: block;
  }
  parley-picker + .edit-buttons {
    margin-top: 6px;
  }
  parley-picker .chips {
    max-height: 132px;
  }
  /* Over what follows, which stays in its place. */
  parley-picker .options {
    position: absolute;
    z-index: 1;
    inset-inline: 0;
    max-height: 200px;
    background: var(--background);
    box-shadow: 0 4px 16px rgb(0 0 0 / 25%);
    border: 1px solid var(--control-line);
    border-radius: var(--radius);
  }
  parley-picker p.options {
    padding: 6px 8px;
  }
  parley-picker .options li {
    display: flex;
    flex-wrap: wrap;
    min-height: 30px;
    align-items: center;
    cursor: pointer;
  }
  parley-new-channel {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
  }
  parley-new-channel form {
    flex: 1;
    min-height: 0;
    padding: 2px;
    overflow: auto;
  }
  .sheet select {
    width: 100%;
  }
  .permission {
    padding-block: 6px;
  }
  .permission > div:first-child {
    margin-bottom: 4px;
  }
  .settings .bar-buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    padding-block: 4px;
  }
  .member-list input {
    width: 100%;
  }
  .member-list li,
  .group-list li {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 10px;
    align-items: center;
    padding-block: 4px;
  }
  .member-list .avatar {
    flex: none;
    width: 28px;
    height: 28px;
  }
  .member-list .name,
  .group-list .name {
    flex: 1 1 120px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .settings [type='color'] {
    flex: none;
    width: 64px;
    min-height: 32px;
    padding: 2px;
  }
`
