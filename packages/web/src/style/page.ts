import { css } from 'lit'

/** The login form of the page, and the buttons below the list of conversations. */
export const page = css`
  button.quiet.wide-button {
    display: flex;
    gap: 8px;
    justify-content: start;
    width: 100%;
    min-height: 28px;
    padding: 2px 8px;
    font-size: 0.9em;
    text-align: start;
  }
  .narrow button.quiet.wide-button {
    min-height: 36px;
  }
  button.quiet.own,
  button.quiet.logout {
    width: calc(100% - 16px);
    margin: 0 8px 6px;
  }
  button.quiet.own {
    flex: none;
    min-height: 40px;
    color: var(--text);
    font-weight: 600;
  }
  .own .avatar {
    width: 28px;
    height: 28px;
    margin: 0;
    cursor: pointer;
  }
  .own .name {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .own .icon {
    flex: none;
    color: var(--text-quiet);
  }
  .login {
    width: min(340px, 100% - 32px);
    margin: 12vh auto 32px;
  }
  .login h1 {
    margin: 0 0 20px;
    font: 600 1.5em/1.3 var(--font);
  }
  .login h2 {
    margin: 28px 0 8px;
    color: var(--text-quiet);
    font: 600 0.85em/1.3 var(--font);
  }
  .login label {
    display: block;
    margin-bottom: 12px;
    font-weight: 500;
  }
  .login input {
    width: 100%;
    margin-top: 4px;
  }
  .login .main {
    width: 100%;
  }
  .login-users {
    display: grid;
    gap: 6px;
  }
  .login .hint {
    margin: 0 0 8px;
  }
  .login-users button {
    text-align: start;
  }
`
