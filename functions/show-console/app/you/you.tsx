import { Page } from '../parts/page.tsx';
import { Passkeys } from './passkeys.tsx';

/** What is the reader's own. */
export const You = () => (
  <Page title="You">
    <Passkeys />
  </Page>
);
