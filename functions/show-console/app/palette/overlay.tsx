import { Calls } from './calls.tsx';
import { Keys } from './keys.tsx';
import { Palette } from './palette.tsx';

const overlays = { palette: Palette, keys: Keys, calls: Calls };
export type OverlayName = keyof typeof overlays;

/** What a key or button opens above any page. */
export function Overlay({ name, onClosed }: { name: OverlayName; onClosed: () => void }) {
  const Shown = overlays[name];
  return <Shown key={name} onClosed={onClosed} />;
}
