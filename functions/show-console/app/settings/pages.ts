import { IdentityPage } from '../identity/identity.tsx';
import { UsageFigures } from '../usage/usage.tsx';
import { Audit } from './audit.tsx';
import { FooterSettings } from './footer.tsx';
import { GeneralSettings } from './general.tsx';
import { Keys } from './keys.tsx';
import { Notices } from './notices.tsx';
import { Policies } from './policies.tsx';

/** Small pages that share their parts: loaded as one file they are smaller than as eight. */
export const settingsPages = {
  Audit,
  FooterSettings,
  GeneralSettings,
  IdentityPage,
  Keys,
  Notices,
  Policies,
  UsageFigures,
};
