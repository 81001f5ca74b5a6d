import { versions } from 'node:process';

/** The last major version of V8 known to have these flags; a later one might complain on stderr. */
const lastKnown = 14;

/**
 * Runs a server with a small heap, because it holds little between requests: the young generation does not grow, and
 * the old one is collected early. Leaves undici's parser unoptimized: optimizing it takes 20 MB, which malloc keeps.
 * Resets the flags afterwards, because V8 rejects cached code that was compiled with other flags.
 * @param growingPercent growth of the old generation until the next collection
 */
export async function withSmallHeap<Result>(
  serve: () => Promise<Result>,
  growingPercent = 60,
): Promise<Result> {
  // Loaded on demand, because a server is ready sooner without it.
  const { setFlagsFromString } = await import('node:v8');
  const setFlags = (flags: HeapFlags) => {
    for (const flag of listFlags(flags)) setFlagsFromString(flag);
  };
  setFlags({ growthFactor: 1, growingPercent, optimizesWasm: false });
  try {
    return await serve();
  } finally {
    // V8's defaults.
    setFlags({ growthFactor: 2, growingPercent: 0, optimizesWasm: true });
  }
}

interface HeapFlags {
  readonly growthFactor: number;
  readonly growingPercent: number;
  readonly optimizesWasm: boolean;
}

function listFlags({ growthFactor, growingPercent, optimizesWasm }: HeapFlags): readonly string[] {
  if (Number(versions.v8.split('.')[0]) > lastKnown) return [];
  return [
    `--semi-space-growth-factor=${growthFactor}`,
    `--heap-growing-percent=${growingPercent}`,
    ...['wasm-tier-up', 'wasm-dynamic-tiering'].map((flag) => (optimizesWasm ? `--${flag}` : `--no-${flag}`)),
  ];
}
