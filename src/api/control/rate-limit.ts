export const maxRateRequests = 999_999_999;
