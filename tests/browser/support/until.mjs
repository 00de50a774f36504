// Waits for a condition, and says which one did not come.
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE = 60_000;

export async function until(what, holds) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`this did not come: ${what}`);
    await pause(15);
  }
}
