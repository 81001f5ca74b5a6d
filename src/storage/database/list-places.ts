/** A known row of a list, and how many rows come before it. */
export interface Place {
  readonly sequence: number;
  readonly before: number;
}

/** How a list is read from a row on, of which some are passed over. */
export interface Reading<Row> {
  rows(from: number, passedOver: number): Promise<Row[]>;
  /** The sequence of the first row; `undefined` when there is none. */
  sequence(from: number, passedOver: number): Promise<number | undefined>;
}

/** What a list is read from when nothing better is known. */
const start: Place = { sequence: 0, before: 0 };

/** Rows between two places: counting them off takes a small part of what a page takes. */
const spacing = 1000;

/** Places of all lists together; 100 lists of 100,000 rows have as many. */
const capacity = 10_000;

/**
 * Known places in lists, which only grow at their end, so that a page far into one is found without counting all rows
 * before it. A deletion moves the places behind it; while one is in progress, lists are read from their start, so that
 * every page is consistent.
 */
export class ListPlaces {
  /** By list, in order. */
  readonly #places = new Map<string, Place[]>();
  #count = 0;
  #removals = 0;
  /** Goes up whenever places may have become wrong. */
  #version = 0;

  /** Reads a page from the nearest known place. If that is far away, the page's first row becomes one. */
  async page<Row>(list: string, offset: number, reading: Reading<Row>): Promise<Row[]> {
    if (this.#removals > 0) return reading.rows(start.sequence, offset);
    const version = this.#version;
    const near = this.#nearest(list, offset);
    const far = offset - near.before >= spacing;
    const sequence = far ? await reading.sequence(near.sequence, offset - near.before) : undefined;
    const { before, ...place } = sequence === undefined ? near : { sequence, before: offset };
    const rows = await reading.rows(place.sequence, offset - before);
    if (version !== this.#version) return reading.rows(start.sequence, offset);
    if (sequence !== undefined) this.#remember(list, sequence, offset);
    return rows;
  }

  /** Runs work that may delete a row; `removed` reports its sequence, `undefined` for none. */
  async removing<Result>(
    list: string,
    work: (removed: (sequence: number | undefined) => void) => Promise<Result>,
  ): Promise<Result> {
    let gone: number | undefined;
    this.#removals += 1;
    this.#version += 1;
    try {
      const result = await work((sequence) => {
        gone = sequence;
      });
      if (gone !== undefined) this.#shift(list, gone);
      return result;
    } catch (error) {
      this.#forget(list);
      throw error;
    } finally {
      this.#removals -= 1;
    }
  }

  /** Does what may change every list. */
  async replacing<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#removals += 1;
    this.#version += 1;
    try {
      return await work();
    } finally {
      this.#places.clear();
      this.#count = 0;
      this.#removals -= 1;
    }
  }

  #nearest(list: string, offset: number): Place {
    return this.#places.get(list)?.findLast(({ before }) => before <= offset) ?? start;
  }

  #remember(list: string, sequence: number, before: number): void {
    if (this.#count >= capacity) this.#places.clear();
    this.#count = this.#places.size === 0 ? 1 : this.#count + 1;
    const places = this.#places.get(list) ?? [];
    const at = places.findLastIndex((place) => place.before <= before);
    this.#places.set(list, places.toSpliced(at + 1, 0, { sequence, before }));
  }

  #shift(list: string, removed: number): void {
    const places = this.#places.get(list) ?? [];
    const moved = places.map((place) =>
      place.sequence > removed ? { ...place, before: place.before - 1 } : place,
    );
    if (moved.length > 0) this.#places.set(list, moved);
  }

  #forget(list: string): void {
    this.#count -= this.#places.get(list)?.length ?? 0;
    this.#places.delete(list);
  }
}
