-- Numbers for the values of a count that have none yet.
INSERT INTO measures
SELECT row_number() OVER (ORDER BY panel, label, of) - 1 + (SELECT count(*) FROM measures), *
FROM (
    SELECT DISTINCT '{{ name }}' AS name, panel, label, of FROM counted
    EXCEPT SELECT name, panel, label, of FROM measures
)
