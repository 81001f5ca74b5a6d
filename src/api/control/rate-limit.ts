/** The largest number of requests in a rate limit. */
export const maxRateRequests = 999_999_999;
